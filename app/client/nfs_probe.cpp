// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/nfs_probe.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPromise>
#include <QTcpSocket>
#include <QTimer>
#include <QtEndian>
#include <array>
#include <cstdint>

#include "app/format/formatter.h"

namespace quarry {
namespace {

constexpr uint32_t xid = 0x51554152;
constexpr uint32_t lastFragment = 0x80000000;
constexpr uint32_t messageCall = 0, messageReply = 1, rpcVersion = 2, nfsProgram = 100003, nfsVersion = 3, procedureNull = 0;
constexpr uint32_t accepted = 0, success = 0;

// RFC 5531: record mark, then xid, CALL, the four numbers, and twice AUTH_NONE with an empty body.
constexpr std::array<uint32_t, 11> callWords = {lastFragment | 40, xid, messageCall, rpcVersion, nfsProgram, nfsVersion, procedureNull, 0, 0, 0, 0};
// Record mark, xid, REPLY, MSG_ACCEPTED, verifier AUTH_NONE with an empty body, SUCCESS.
constexpr qsizetype replyBytes = 7 * 4;

QByteArray callBytes() {
  QByteArray bytes(static_cast<qsizetype>(callWords.size() * 4), '\0');
  for (size_t i = 0; i < callWords.size(); ++i) qToBigEndian(callWords[i], bytes.data() + i * 4);
  return bytes;
}

bool isSuccess(const QByteArray& reply) {
  const auto word = [&](qsizetype i) { return qFromBigEndian<uint32_t>(reply.constData() + i * 4); };
  return word(0) == (lastFragment | 24) && word(1) == xid && word(2) == messageReply && word(3) == accepted && word(6) == success;
}

// One call; deletes itself after it has settled.
class NfsProbe : public QObject {
 public:
  NfsProbe() {
    m_promise.start();
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { settle(fail(ErrorCode::Timeout, where() + " does not answer NFS calls")); });
    connect(&m_socket, &QTcpSocket::connected, this, [this] { m_socket.write(callBytes()); });
    connect(&m_socket, &QTcpSocket::readyRead, this, &NfsProbe::onReadyRead);
    connect(&m_socket, &QTcpSocket::errorOccurred, this,
            [this] { settle(fail(ErrorCode::Disconnected, where() + ": " + m_socket.errorString().toStdString())); }, Qt::QueuedConnection);
  }

  Reply<QString> start(const QString& host, int port, std::chrono::milliseconds limit) {
    Reply<QString> reply = m_promise.future();
    m_host = host;
    m_port = port;
    m_elapsed.start();
    m_limit.start(limit);
    m_socket.connectToHost(host, static_cast<quint16>(port));
    return reply;
  }

 private:
  std::string where() const { return m_host.toStdString() + ":" + std::to_string(m_port); }

  void onReadyRead() {
    m_reply += m_socket.read(replyBytes - m_reply.size());
    if (m_reply.size() < replyBytes) return;
    if (!isSuccess(m_reply)) return settle(fail(ErrorCode::Protocol, where() + " is not an NFS version 3 server"));
    const double microseconds = static_cast<double>(m_elapsed.nsecsElapsed()) / 1000;
    settle(QObject::tr("NFS answers on port %1 in %2.").arg(m_port).arg(formatter::text(microseconds, protocol::Unit::Microseconds)));
  }

  void settle(Result<QString> result) {
    if (m_settled) return;
    m_settled = true;
    m_socket.disconnect(this);
    m_promise.addResult(std::move(result));
    m_promise.finish();
    deleteLater();
  }

  QTcpSocket m_socket;
  QTimer m_limit;
  QElapsedTimer m_elapsed;
  QPromise<Result<QString>> m_promise;
  QString m_host;
  int m_port = 0;
  QByteArray m_reply;
  bool m_settled = false;
};

}  // namespace

Reply<QString> probeNfs(const QString& host, int port, std::chrono::milliseconds limit) {
  auto* probe = new NfsProbe;  // owns itself until it has settled
  return probe->start(host, port, limit);
}

}  // namespace quarry

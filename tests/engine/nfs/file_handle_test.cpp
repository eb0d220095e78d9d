// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/file_handle.h"

#include <QtTest/QtTest>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string>

#include "engine/nfs/nfs_status.h"
#include "engine/nfs/sip_hash.h"

using namespace quarry;
using namespace quarry::nfs;

namespace {
StoreId storeId(uint8_t value) {
  StoreId id;
  id.fill(std::byte{value});
  return id;
}

// What OpenSSL says SipHash-2-4-128 is.
std::string referenceSipHash(const SipKey& key, Bytes bytes) {
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "SIPHASH", nullptr);
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  size_t size = 16;
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("size", &size), OSSL_PARAM_construct_end()};
  std::string tag(16, '\0');
  size_t made = 0;
  EVP_MAC_init(context, reinterpret_cast<const unsigned char*>(key.data()), key.size(), params);
  EVP_MAC_update(context, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  EVP_MAC_final(context, reinterpret_cast<unsigned char*>(tag.data()), &made, tag.size());
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
  return tag;
}
}  // namespace

class FileHandleTest : public QObject {
  Q_OBJECT

  const HandleCodec m_codec{storeId(1), asBytes("secret")};
  const FileHandle m_handle{3, 0x1122334455667788, 0xcafe};

 private Q_SLOTS:
  void sipHashIsTheRealOne() {
    SipKey key;
    for (size_t i = 0; i < key.size(); ++i) key[i] = std::byte(i * 7 + 1);
    std::string input;
    for (int size = 0; size < 70; ++size) {
      QCOMPARE(std::string(asText(sipHash128(key, asBytes(input)))), referenceSipHash(key, asBytes(input)));
      input.push_back(static_cast<char>(size * 37));
    }
  }

  void handleComesBack() {
    const EncodedHandle bytes = m_codec.encode(m_handle);
    QVERIFY(bytes.size() <= 56);
    const auto decoded = m_codec.decode(bytes);
    QVERIFY(decoded.has_value());
    QVERIFY(*decoded == m_handle);
    QVERIFY(HandleCodec(storeId(1), asBytes("secret")).decode(bytes).has_value());  // another run of the engine
  }

  void everyChangedBitIsNoticed() {
    for (size_t bit = 0; bit < handleBytes * 8; ++bit) {
      EncodedHandle bytes = m_codec.encode(m_handle);
      bytes[bit / 8] ^= std::byte(1 << bit % 8);
      QCOMPARE(m_codec.decode(bytes).error().code, ErrorCode::BadHandle);
    }
  }

  void foreignAndOddHandlesAreRefused() {
    const EncodedHandle bytes = m_codec.encode(m_handle);
    QCOMPARE(HandleCodec(storeId(1), asBytes("other")).decode(bytes).error().code, ErrorCode::BadHandle);
    QCOMPARE(HandleCodec(storeId(2), asBytes("secret")).decode(bytes).error().code, ErrorCode::BadHandle);
    QCOMPARE(m_codec.decode({}).error().code, ErrorCode::BadHandle);
    QCOMPARE(m_codec.decode(Bytes(bytes).first(48)).error().code, ErrorCode::BadHandle);
    QCOMPARE(m_codec.decode(asBytes(std::string(64, 'h'))).error().code, ErrorCode::BadHandle);
  }

  void everyErrorHasAStatus() {
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) QVERIFY(toNfsStatus(static_cast<ErrorCode>(code)) != Nfsstat3::Ok);
    QCOMPARE(toNfsStatus(ErrorCode::NoSpace), Nfsstat3::NoSpc);
    QCOMPARE(toNfsStatus(ErrorCode::Stale), Nfsstat3::Stale);
    QCOMPARE(toNfsStatus(ErrorCode::IoError), Nfsstat3::Io);
  }
};

QTEST_GUILESS_MAIN(FileHandleTest)
#include "file_handle_test.moc"

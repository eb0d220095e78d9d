// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/create_vstorage_step.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/clients_text.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(CreateVstorageStep)
};

}  // namespace

CreateVstorageStep::CreateVstorageStep(EngineApi& engine, protocol::VstorageCreate request) : m_engine(engine), m_request(std::move(request)) {}

QString CreateVstorageStep::title() const { return Words::tr("Create vstorage %1").arg(QString::fromStdString(m_request.name)); }

Reply<QString> CreateVstorageStep::run() {
  return m_engine.createVstorage(m_request).then(&m_engine, [this](const Result<protocol::VstorageInfo>& created) -> Result<QString> {
    if (!created) return fail(created.error());
    m_created = true;
    return Words::tr("May mount it: %1.").arg(clientsText(created->clients));
  });
}

Reply<QString> CreateVstorageStep::undo() {
  return m_engine.removeVstorage({.name = m_request.name, .force = false}).then(&m_engine, [this](const Result<>& removed) -> Result<QString> {
    if (!removed) return fail(removed.error());
    m_created = false;
    return Words::tr("The empty vstorage was removed again.");
  });
}

}  // namespace quarry

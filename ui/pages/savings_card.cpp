// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings_card.h"

#include <QVBoxLayout>

#include "app/format/formatter.h"
#include "app/models/savings.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/savings_bar.h"

namespace quarry {

SavingsCard::SavingsCard(QWidget* parent)
    : Card(tr("Where the bytes went"), parent),
      m_bar(new SavingsBar),
      m_factors(new ElidedLabel(TextStyle::Caption, Tone::Dim)),
      m_landing(new ElidedLabel(TextStyle::Caption, Tone::Dim)),
      m_disk(new ElidedLabel(TextStyle::Caption, Tone::Dim)) {
  body()->addSpacing(4);
  body()->addWidget(m_bar);
  body()->addSpacing(4);
  body()->addWidget(makeSeparator());
  body()->addSpacing(4);
  body()->addWidget(m_factors);
  body()->addWidget(m_landing);
  body()->addWidget(m_disk);
  body()->addStretch();
}

void SavingsCard::setSavings(const protocol::Savings& savings, const protocol::Space& space) {
  setTitle(savings.logicalBytes == 0 ? tr("Where the bytes went") : tr("Where %1 went").arg(formatter::bytes(savings.logicalBytes)));
  m_bar->setSavings(savings);
  m_factors->setText(
      tr("Dedup %1, compression %2").arg(formatter::factor(dedupFactor(savings)), formatter::factor(compressionFactor(savings))));
  m_landing->setText(savings.landingBytes == 0 ? tr("Everything stored is optimized") : tr("%1 not optimized yet").arg(formatter::bytes(savings.landingBytes)));
  m_disk->setText(tr("%1 on the disk, %2 free").arg(formatter::bytes(space.storeBytes), formatter::bytes(space.availableBytes)));
}

}  // namespace quarry

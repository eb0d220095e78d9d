// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/policy_form.h"

#include <QLabel>
#include <QStringList>

#include "app/format/formatter.h"
#include "ui/theme/typography.h"
#include "ui_policy_form.h"

namespace quarry {

namespace {

constexpr uint64_t mib = uint64_t(1) << 20;

QString levelText(int level) {
  if (level <= 2) return PolicyForm::tr("Level %1: fastest; recommended while VMs run on the same machine.").arg(level);
  if (level <= 6) return PolicyForm::tr("Level %1: a few percent smaller, about half as fast.").arg(level);
  if (level <= 12) return PolicyForm::tr("Level %1: slow; for data that is read often and written once.").arg(level);
  return PolicyForm::tr("Level %1: very slow; little gain over level 12.").arg(level);
}

QStringList excludeLines(const protocol::Policy& policy) {
  QStringList lines;
  for (const std::string& glob : policy.exclude) lines << QString::fromStdString(glob);
  return lines;
}

}  // namespace

PolicyForm::PolicyForm(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::PolicyForm>()) {
  m_ui->setupUi(this);
  for (QLabel* hint : {m_ui->ageHint, m_ui->levelHint, m_ui->excludeHint}) {
    hint->setFont(fontFor(TextStyle::Caption));
    setTone(hint, Tone::Dim);
  }
  m_ui->ageUnitBox->addItem(tr("seconds"), 1);
  m_ui->ageUnitBox->addItem(tr("minutes"), 60);
  m_ui->ageUnitBox->addItem(tr("hours"), 3600);
  m_ui->ageUnitBox->addItem(tr("days"), 86400);
  m_ui->ageUnitBox->setAccessibleName(tr("Unit of the age"));
  m_ui->ageBox->setAccessibleName(tr("Age"));
  m_ui->levelSlider->setAccessibleName(tr("Compression level"));
  connect(m_ui->ageBox, &QSpinBox::valueChanged, this, &PolicyForm::explain);
  connect(m_ui->ageUnitBox, &QComboBox::currentIndexChanged, this, &PolicyForm::explain);
  connect(m_ui->levelSlider, &QSlider::valueChanged, this, &PolicyForm::explain);
  setFocusProxy(m_ui->ageBox);
  load({});
}

PolicyForm::~PolicyForm() = default;

void PolicyForm::load(const protocol::Policy& policy) {
  constexpr int minutes = 1;
  int unit = policy.minAgeSeconds == 0 ? minutes : m_ui->ageUnitBox->count() - 1;
  while (unit > 0 && policy.minAgeSeconds % uint64_t(m_ui->ageUnitBox->itemData(unit).toInt()) != 0) --unit;
  m_ui->ageUnitBox->setCurrentIndex(unit);
  m_ui->ageBox->setValue(int(policy.minAgeSeconds / uint64_t(m_ui->ageUnitBox->itemData(unit).toInt())));
  m_ui->sizeBox->setValue(int(policy.minSizeBytes / mib));
  m_ui->levelSlider->setValue(policy.level);
  m_loaded = policy;
  m_shownAgeSeconds = ageSeconds();
  m_shownSizeBytes = sizeBytes();
  m_ui->excludeEdit->setPlainText(excludeLines(policy).join(u'\n'));
  explain();
}

uint64_t PolicyForm::ageSeconds() const { return uint64_t(m_ui->ageBox->value()) * uint64_t(m_ui->ageUnitBox->currentData().toInt()); }

uint64_t PolicyForm::sizeBytes() const { return uint64_t(m_ui->sizeBox->value()) * mib; }

protocol::Policy PolicyForm::values() const {
  protocol::Policy policy;
  policy.minAgeSeconds = ageSeconds() == m_shownAgeSeconds ? m_loaded.minAgeSeconds : ageSeconds();
  policy.minSizeBytes = sizeBytes() == m_shownSizeBytes ? m_loaded.minSizeBytes : sizeBytes();
  policy.level = m_ui->levelSlider->value();
  for (const QString& line : m_ui->excludeEdit->toPlainText().split(u'\n')) {
    if (!line.trimmed().isEmpty()) policy.exclude.push_back(line.trimmed().toStdString());
  }
  return policy;
}

void PolicyForm::explain() {
  m_ui->ageHint->setText(m_ui->ageBox->value() == 0 ? tr("Everything is optimized, even what a VM is writing now.")
                                                    : tr("Open VM disks are included: only the parts that were not written lately."));
  m_ui->levelHint->setText(levelText(m_ui->levelSlider->value()));
}

protocol::PolicySet policyRequest(const std::string& vstorage, const protocol::Policy& policy) {
  return {.name = vstorage,
          .minAgeSeconds = policy.minAgeSeconds,
          .minSizeBytes = policy.minSizeBytes,
          .exclude = policy.exclude,
          .level = policy.level};
}

QString ageText(const protocol::Policy& policy) {
  return policy.minAgeSeconds == 0 ? PolicyForm::tr("at once")
                                   : PolicyForm::tr("after %1 without a write").arg(formatter::duration(policy.minAgeSeconds));
}

QString policyText(const protocol::Policy& policy) {
  QString text = PolicyForm::tr("%1, compression level %2").arg(ageText(policy)).arg(policy.level);
  if (policy.minSizeBytes > 0) text += PolicyForm::tr(", not below %1").arg(formatter::bytes(policy.minSizeBytes));
  if (!policy.exclude.empty()) text += PolicyForm::tr(", never %1").arg(excludeLines(policy).join(QStringLiteral(", ")));
  return text;
}

}  // namespace quarry

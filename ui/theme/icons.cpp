// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

// The resources are in a static library, which the linker would leave out unless they are named; the macro needs global scope.
static void initResources() { Q_INIT_RESOURCE(console); }

namespace quarry {

namespace {

QString fileName(Icon icon) {
  switch (icon) {
    case Icon::Dashboard: return QStringLiteral("dashboard");
    case Icon::Vstorage: return QStringLiteral("vstorage");
    case Icon::Vm: return QStringLiteral("vm");
    case Icon::Dedup: return QStringLiteral("dedup");
    case Icon::Cache: return QStringLiteral("cache");
    case Icon::Events: return QStringLiteral("events");
    case Icon::Settings: return QStringLiteral("settings");
    case Icon::Copy: return QStringLiteral("copy");
    case Icon::Check: return QStringLiteral("check");
    case Icon::Warning: return QStringLiteral("warning");
    case Icon::Error: return QStringLiteral("error");
    case Icon::Close: return QStringLiteral("close");
    case Icon::Search: return QStringLiteral("search");
    case Icon::Run: return QStringLiteral("run");
    case Icon::Refresh: return QStringLiteral("refresh");
    case Icon::Export: return QStringLiteral("export");
    case Icon::Wait: return QStringLiteral("wait");
    case Icon::Chevron: return QStringLiteral("chevron");
  }
  return {};
}

QPixmap tintedPixmap(Icon icon, const QColor& tintColor, QSize deviceSize) {
  const QString key = QStringLiteral("quarry/%1/%2/%3").arg(int(icon)).arg(tintColor.rgba()).arg(deviceSize.width());
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  initResources();
  pixmap = QPixmap(deviceSize);
  pixmap.fill(Qt::transparent);
  QSvgRenderer renderer(QStringLiteral(":/icons/%1.svg").arg(fileName(icon)));
  QPainter painter(&pixmap);
  renderer.render(&painter);
  painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
  painter.fillRect(pixmap.rect(), tintColor);
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

class TintedIconEngine : public QIconEngine {
 public:
  TintedIconEngine(Icon icon, ColorRole role) : m_icon(icon), m_role(role) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device()->devicePixelRatioF();
    QPixmap pixmap = this->pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
    painter->drawPixmap(rect, pixmap);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
    return tintedPixmap(m_icon, color(mode == QIcon::Disabled ? ColorRole::Dim : m_role), size);
  }

  QIconEngine* clone() const override { return new TintedIconEngine(*this); }

 private:
  Icon m_icon;
  ColorRole m_role;
};

}  // namespace

QIcon icon(Icon icon, ColorRole role) { return QIcon(new TintedIconEngine(icon, role)); }

QPixmap iconPixmap(Icon icon, ColorRole role, int size, qreal devicePixelRatio) {
  QPixmap pixmap = tintedPixmap(icon, color(role), (QSizeF(size, size) * devicePixelRatio).toSize());
  pixmap.setDevicePixelRatio(devicePixelRatio);
  return pixmap;
}

QIcon applicationIcon() {
  initResources();
  return QIcon(QStringLiteral(":/icons/quarry.svg"));
}

}  // namespace quarry

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage_files.h"

#include <QTest>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class VstorageFilesTest : public QObject {
  Q_OBJECT

  VstorageSite m_site;
  std::unique_ptr<VstorageFiles> m_files;

  // The paths that a job would work on; what is wrong with the selection otherwise.
  std::vector<std::string> listed(const dedup::Selection& selection) const {
    const auto files = m_files->list(selection);
    if (!files) return {"error: " + std::string(name(files.error().code))};
    std::vector<std::string> paths;
    for (const auto& file : *files) paths.push_back(file.path);
    return paths;
  }

 private Q_SLOTS:
  void initTestCase() {
    auto main = m_site.make("main");
    const FileId web = m_site.makeFolder(*main, main->root(), "web"), deep = m_site.makeFolder(*main, web, "deep");
    m_site.makeFolder(*main, main->root(), "empty");
    m_site.makeFile(*main, web, "disk.vmdk");
    m_site.makeFile(*main, deep, "more.vmdk");
    m_site.makeFile(*main, main->root(), "web2.img");
    m_site.make("lab");
    m_files = std::make_unique<VstorageFiles>(*m_site.table, *m_site.files, *m_site.inodes, *m_site.vms, *m_site.health);
  }

  void pathsMayBeTypedWithSlashes() {
    const std::vector<std::string> wanted{"web/deep/more.vmdk", "web/disk.vmdk"};
    for (const char* path : {"web", "/web", "web/", "//web//"}) QCOMPARE(listed({.vstorage = "main", .vm = {}, .path = path}), wanted);
    QCOMPARE(listed({.vstorage = "main", .vm = {}, .path = "/web/disk.vmdk"}), std::vector<std::string>{"web/disk.vmdk"});
    QCOMPARE(listed({.vstorage = "main", .vm = {}, .path = "/"}).size(), size_t{3});
  }

  void whatIsNotThereIsNamed() {
    const auto missing = m_files->list({.vstorage = "main", .vm = {}, .path = "we"});
    QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
    QVERIFY(missing.error().message.find("'we' in vstorage main") != std::string::npos);
    QCOMPARE(listed({.vstorage = "other", .vm = {}, .path = {}}), std::vector<std::string>{"error: " + std::string(name(ErrorCode::NotFound))});
    QCOMPARE(listed({.vstorage = "main", .vm = "none", .path = {}}), std::vector<std::string>{"error: " + std::string(name(ErrorCode::NotFound))});
    QVERIFY(listed({.vstorage = "lab", .vm = {}, .path = {}}).empty());
  }

  // A job that read its recipe between the beginning and the end of a shortening must not write it back.
  void fileBeingShortenedHasNoCounter() {
    auto lab = m_site.make("shortened");
    const FileId fileid = m_site.makeFile(*lab, lab->root(), "disk.img");
    QVERIFY(m_site.inodes->touchWritten(fileid, 100));
    const auto before = m_files->truncateCounter(fileid);
    QVERIFY(before.has_value());
    metadata::AttributeChange change;
    change.size = 50;
    QVERIFY(m_site.run(m_site.inodes->beginTruncate(fileid, change)));
    QVERIFY(!m_files->truncateCounter(fileid));
    QVERIFY(m_site.run(m_site.inodes->endTruncate(fileid)));
    QVERIFY(m_files->truncateCounter(fileid).has_value() && *m_files->truncateCounter(fileid) != *before);
  }

  void vmsAreSelected() { QCOMPARE(listed({.vstorage = "main", .vm = "web", .path = {}}).size(), size_t{2}); }
};

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::VstorageFilesTest)
#include "vstorage_files_test.moc"

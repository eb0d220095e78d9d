// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vstorage_table.h"

#include <QtTest>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class VstorageTableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void createsAndSurvivesARestart();
  void refusals();
  void removalNeedsForceWhenThereAreFiles();
  void policies();
  void mounts();
  void listsFilesForJobs();
};

void VstorageTableTest::createsAndSurvivesARestart() {
  VstorageSite site;
  protocol::VstorageCreate request;
  request.name = "vms";
  request.clients = {"10.0.0.0/8"};
  request.squash = protocol::Squash::Root;
  const auto made = site.run(site.table->create(request));
  QVERIFY(made && !made->createdAt.empty() && made->fileCount == 0);
  site.restart();
  const auto shown = site.run(site.table->show("vms"));
  QVERIFY(shown && *shown == *made);
  QVERIFY(site.table->find("vms")->allowsClient("10.1.2.3"));
  QVERIFY(!site.table->find("vms")->allowsClient("127.0.0.1"));
  QVERIFY(site.table->find(site.table->find("vms")->id()) == site.table->find("vms"));
  QCOMPARE(site.table->all().size(), 1u);
}

void VstorageTableTest::refusals() {
  VstorageSite site;
  site.make("vms");
  const auto create = [&site](protocol::VstorageCreate request) { return site.run(site.table->create(std::move(request))).error().code; };
  protocol::VstorageCreate request;
  request.name = "vms";
  QCOMPARE(create(request), ErrorCode::Exists);
  request.name = "a/b";
  QCOMPARE(create(request), ErrorCode::InvalidArgument);
  request.name = "b";
  request.clients = {"nobody"};
  QCOMPARE(create(request), ErrorCode::InvalidArgument);
  protocol::VstorageSet change;
  change.name = "none";
  QCOMPARE(site.run(site.table->set(change)).error().code, ErrorCode::NotFound);
  change.name = "vms";
  change.clients = std::vector<std::string>{"10.0.0.1/8"};
  QCOMPARE(site.run(site.table->set(change)).error().code, ErrorCode::InvalidArgument);
  QVERIFY(site.table->find("vms")->allowsClient("::1"));
  site.health->turnReadOnly("a test");
  request.writeMode = protocol::WriteMode::Through;
  QCOMPARE(create(request), ErrorCode::ReadOnly);
}

void VstorageTableTest::removalNeedsForceWhenThereAreFiles() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId file = site.makeFile(*vms, vms->root(), "a");
  QVERIFY(site.write(*vms, file, 0, "data"));
  QCOMPARE(site.run(site.table->remove({"vms", false})).error().code, ErrorCode::NotEmpty);
  QVERIFY(site.run(site.table->remove({"vms", true})));
  QVERIFY(!site.table->find("vms"));
  QCOMPARE(vms->getAttributes(vms->root()).error().code, ErrorCode::Stale);
  QVERIFY(!vms->allowsClient("127.0.0.1"));
  site.drain();
  QCOMPARE(site.disk.fileCount(), 0u);
  site.make("vms");
  QVERIFY(site.run(site.table->remove({"vms", false})));
}

void VstorageTableTest::policies() {
  VstorageSite site;
  site.make("vms");
  protocol::PolicySet change;
  change.name = "vms";
  change.minAgeSeconds = 0;
  change.exclude = std::vector<std::string>{"*.iso"};
  QVERIFY(site.run(site.table->setPolicy(change)));
  change = {};
  change.name = "vms";
  change.level = 3;
  QVERIFY(site.run(site.table->setPolicy(change)));
  QVERIFY(*site.table->policy("vms") == (protocol::Policy{0, 0, {"*.iso"}, 3}));
  change.level = 99;
  QCOMPARE(site.run(site.table->setPolicy(change)).error().code, ErrorCode::InvalidArgument);
  QCOMPARE(site.table->policy("vms")->level, 3);
}

void VstorageTableTest::mounts() {
  VstorageSite site;
  site.make("a");
  site.make("b");
  site.table->noteMount("10.0.0.1", "/a");
  site.table->noteMount("10.0.0.1", "/b");
  site.table->noteMount("10.0.0.2", "/b/folder");
  QCOMPARE(site.table->mounts().size(), 3u);
  QCOMPARE(site.run(site.table->show("b"))->mountCount, 2u);
  site.restart();  // hosts go on with their handles and do not mount again
  QCOMPARE(site.run(site.table->show("b"))->mountCount, 0u);
  site.table->noteUse("10.0.0.1", "b");
  QCOMPARE(site.run(site.table->show("b"))->mountCount, 1u);
  QVERIFY(site.run(site.table->remove({.name = "b", .force = true})));
  QVERIFY(site.table->mounts().empty());
}

void VstorageTableTest::listsFilesForJobs() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId folder = site.makeFolder(*vms, vms->root(), "web");
  const FileId disk = site.makeFile(*vms, folder, "web.vmdk");
  site.makeFile(*vms, vms->root(), "note.txt");
  QVERIFY(site.write(*vms, disk, 0, "data"));
  const auto listed = site.table->listFiles("");
  QVERIFY(listed && listed->size() == 2);
  QCOMPARE(listed->at(0).path, std::string("note.txt"));
  QVERIFY(listed->at(0).vm.empty());
  QCOMPARE(listed->at(1).path, std::string("web/web.vmdk"));
  QCOMPARE(listed->at(1).vm, std::string("web"));
  QCOMPARE(listed->at(1).sizeBytes, 4u);
  QCOMPARE(site.table->listFiles("none").error().code, ErrorCode::NotFound);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::VstorageTableTest)
#include "vstorage_table_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vm_catalog.h"

#include <QtTest>

#include "tests/support/vstorage_site.h"

namespace quarry::test {

class VmCatalogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void knowsImageNames();
  void followsChangesOfNames();
  void countsPerVm();
  void figuresGoOnWhenOtherNamesChange();
  void reportsGuestAndDisks();
};

void VmCatalogTest::knowsImageNames() {
  for (const char* name : {"a.vmdk", "A.QCOW2", "b.raw", "b.img", "c.vhd", "c.vhdx", "d.vdi"}) QVERIFY2(isDiskImageName(name), name);
  for (const char* name : {".vmdk", "vmdk", "a.vmdk.bak", "a.txt", ""}) QVERIFY2(!isDiskImageName(name), name);
  QVERIFY(isVmxName("web.VMX") && !isVmxName("web.vmxf"));
}

void VmCatalogTest::followsChangesOfNames() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId web = site.makeFolder(*vms, vms->root(), "web"), deep = site.makeFolder(*vms, web, "snapshots");
  const FileId text = site.makeFile(*vms, deep, "notes.txt");
  const auto owner = [&site](FileId fileid) { return site.vms->owner(*site.inodes->get(fileid)); };
  QVERIFY(!owner(text) && site.vms->all().empty());
  site.makeFile(*vms, web, "web.vmx");
  QVERIFY(owner(text) && owner(text)->name == "web" && owner(deep) == owner(text) && owner(web) == owner(text));
  QCOMPARE(site.vms->all().size(), 1u);
  QVERIFY(site.run(vms->rename(VstorageSite::root, {vms->root(), "web", vms->root(), "shop"})));
  QCOMPARE(owner(text)->name, std::string("shop"));
  QVERIFY(site.vms->find("vms", "shop") && !site.vms->find("", "web"));
  QVERIFY(site.run(vms->rename(VstorageSite::root, {web, "web.vmx", web, "web.old"})));
  QVERIFY(!owner(text));
  // An image in the root belongs to no VM, nor does one in a folder of a folder make one.
  QVERIFY(!owner(site.makeFile(*vms, vms->root(), "disk.raw")));
  site.makeFile(*vms, deep, "disk.raw");
  QVERIFY(site.vms->all().empty());
  auto other = site.make("other");
  for (auto& vstorage : {vms, other}) site.makeFile(*vstorage, site.makeFolder(*vstorage, vstorage->root(), "twin"), "a.img");
  QCOMPARE(site.vms->find("", "twin").error().code, ErrorCode::InvalidArgument);
  QVERIFY(site.vms->find("other", "twin"));
}

void VmCatalogTest::countsPerVm() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId web = site.makeFolder(*vms, vms->root(), "web");
  const FileId disk = site.makeFile(*vms, web, "web-flat.vmdk");
  QVERIFY(site.write(*vms, disk, 0, std::string(1000, 'x')));
  QCOMPARE(site.read(*vms, disk, 0, 100).size(), 100u);
  QCOMPARE(site.recorders.counts("vm/vms/web")->writeBytes.load(), 1000u);
  QCOMPARE(site.recorders.counts("vm/vms/web")->readBytes.load(), 100u);
}

// A VM's figures live as long as its Vm object: hosts rename, link and make files all the time.
void VmCatalogTest::figuresGoOnWhenOtherNamesChange() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId web = site.makeFolder(*vms, vms->root(), "web"), shop = site.makeFolder(*vms, vms->root(), "shop");
  for (const FileId folder : {web, shop}) site.makeFile(*vms, folder, "disk.vmdk");
  const FileId vmx = site.makeFile(*vms, web, "web.vmx~");
  const auto webVm = site.vms->find("vms", "web").value(), shopVm = site.vms->find("vms", "shop").value();
  const auto isSame = [&] { return site.vms->find("vms", "web").value() == webVm && site.vms->find("vms", "shop").value() == shopVm; };
  const auto rename = [&](FileId from, const char* name, FileId to, const char* newName) {
    QVERIFY(site.run(vms->rename(VstorageSite::root, {from, name, to, newName})));
  };
  rename(web, "web.vmx~", web, "web.vmx");
  QVERIFY(isSame());
  site.makeFile(*vms, web, "web-000001.vmdk");
  rename(web, "web-000001.vmdk", web, "web-2.vmdk");
  QVERIFY(site.run(vms->link(VstorageSite::root, vmx, shop, "also.vmx")));
  QVERIFY(site.run(vms->remove(VstorageSite::root, shop, "also.vmx")) && isSame());
  // A file that moves belongs to the other VM; a folder that moves takes what is in it along.
  const FileId text = site.makeFile(*vms, web, "notes.txt"), deep = site.makeFolder(*vms, web, "deep"), deepText = site.makeFile(*vms, deep, "b.txt");
  const auto owner = [&site](FileId fileid) { return site.vms->owner(*site.inodes->get(fileid)); };
  QVERIFY(owner(text) == webVm && owner(deepText) == webVm);
  rename(web, "notes.txt", shop, "notes.txt");
  rename(web, "deep", shop, "deep");
  QVERIFY(owner(text) == shopVm && owner(deepText) == shopVm && isSame());
  // Another VM's folder gets another name, another vstorage goes.
  rename(vms->root(), "shop", vms->root(), "store");
  QVERIFY(site.vms->find("vms", "web").value() == webVm && owner(text)->name == "store");
  site.make("other");
  protocol::VstorageRemove removal;
  removal.name = "other";
  QVERIFY(site.run(site.table->remove(removal)));
  QVERIFY(site.vms->find("vms", "web").value() == webVm);
}

void VmCatalogTest::reportsGuestAndDisks() {
  VstorageSite site;
  auto vms = site.make("vms");
  const FileId web = site.makeFolder(*vms, vms->root(), "web");
  const FileId vmx = site.makeFile(*vms, web, "web.vmx");
  site.makeFile(*vms, web, "web.vmdk");
  const FileId disk = site.makeFile(*vms, web, "web-flat.vmdk");
  QVERIFY(site.write(*vms, vmx, 0, "guestOS = \"debian12-64\"\n"));
  QVERIFY(site.write(*vms, disk, 0, std::string(10 * blockBytes, 'x')));
  site.clock.advance(std::chrono::seconds(2));  // figures may be a moment old
  VmReports reports(*site.vms, *site.savings, *site.inodes);
  const auto detail = site.run(reports.show({"", "web"}));
  QVERIFY(detail);
  QCOMPARE(detail->vm.guest, std::string("Debian 12"));
  QCOMPARE(detail->vm.diskCount, 1u);
  QCOMPARE(detail->files.size(), 3u);
  QCOMPARE(detail->vm.savings.logicalBytes, 10 * blockBytes + 24);
  site.clock.advance(std::chrono::seconds(2));
  QVERIFY(site.write(*vms, vmx, 0, "guestOS = \"rhel9-64\"   \n"));
  QCOMPARE(site.run(reports.list("vms"))->at(0).guest, std::string("Red Hat Enterprise Linux 9"));
  QCOMPARE(site.run(reports.list("none")).error().code, ErrorCode::NotFound);
}

}  // namespace quarry::test

QTEST_GUILESS_MAIN(quarry::test::VmCatalogTest)
#include "vm_catalog_test.moc"

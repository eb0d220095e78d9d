// SPDX-License-Identifier: GPL-3.0-or-later
// Random operations on the namespace and on a simple model of it; both must agree, also after opening the database again.
#include <QTest>
#include <map>
#include <random>

#include "tests/engine/metadata/namespace_fixture.h"

using namespace quarry;
using namespace quarry::metadata;

namespace {

struct ModelInode {
  bool isDirectory = false;
  uint64_t size = 0;
  std::map<std::string, FileId> entries;
};

class Model {
 public:
  explicit Model(FileId root) : m_root(root) { inodes[root].isDirectory = true; }

  uint32_t linkCount(FileId fileid) const {
    uint32_t count = inodes.at(fileid).isDirectory ? 2 : 0;
    for (const auto& [id, inode] : inodes) {
      for (const auto& [name, target] : inode.entries) {
        if (inodes.at(fileid).isDirectory ? (id == fileid && inodes.at(target).isDirectory) : target == fileid) ++count;
      }
    }
    return count;
  }
  bool isBelow(FileId directory, FileId ancestor) const {
    if (directory == ancestor) return true;
    for (const auto& [name, target] : inodes.at(ancestor).entries) {
      if (inodes.at(target).isDirectory && isBelow(directory, target)) return true;
    }
    return false;
  }
  void dropIfUnnamed(FileId fileid) {
    for (const auto& [id, inode] : inodes) {
      for (const auto& [name, target] : inode.entries) {
        if (target == fileid) return;
      }
    }
    inodes.erase(fileid);
  }
  bool mayReplace(FileId moved, FileId replaced) const {
    const bool movedIs = inodes.at(moved).isDirectory, replacedIs = inodes.at(replaced).isDirectory;
    return movedIs == replacedIs && inodes.at(replaced).entries.empty();
  }
  FileId find(FileId directory, const std::string& name) const {
    const auto found = inodes.at(directory).entries.find(name);
    return found == inodes.at(directory).entries.end() ? 0 : found->second;
  }

  std::map<FileId, ModelInode> inodes;

 private:
  FileId m_root;
};

class Driver {
 public:
  Driver(NamespaceFixture& fixture, Model& model, unsigned seed) : m_fixture(fixture), m_model(model), m_random(seed) {}

  // Each returns whether the table did what the model says.
  bool step() {
    switch (m_random() % 8) {
      case 0:
      case 1: return create(m_random() % 3 == 0 ? FileType::Directory : FileType::Regular);
      case 2: return remove(false);
      case 3: return remove(true);
      case 4: return link();
      case 5: return touch();
      default: return rename();
    }
  }

 private:
  FileId randomInode(bool directory) {
    std::vector<FileId> fits;
    for (const auto& [id, inode] : m_model.inodes) {
      if (inode.isDirectory == directory) fits.push_back(id);
    }
    return fits.empty() ? 0 : fits[m_random() % fits.size()];
  }
  std::string randomName() { return std::string(1, static_cast<char>('a' + m_random() % 6)); }

  bool create(FileType type) {
    const FileId directory = randomInode(true);
    const std::string name = randomName();
    auto created = m_fixture.create(directory, name, type);
    if (created.has_value() == (m_model.find(directory, name) != 0)) return false;
    if (!created) return true;
    m_model.inodes[created->inode.fileid].isDirectory = type == FileType::Directory;
    m_model.inodes[directory].entries[name] = created->inode.fileid;
    return true;
  }

  bool remove(bool isDirectory) {
    const FileId directory = randomInode(true);
    const std::string name = randomName();
    const FileId target = m_model.find(directory, name);
    const bool allowed = target != 0 && m_model.inodes[target].isDirectory == isDirectory && m_model.inodes[target].entries.empty();
    auto removed = m_fixture.run(isDirectory ? m_fixture.table->removeDirectory(directory, name) : m_fixture.table->remove(directory, name));
    if (removed.has_value() != allowed) return false;
    if (!allowed) return true;
    m_model.inodes[directory].entries.erase(name);
    m_model.dropIfUnnamed(target);
    return m_model.inodes.contains(target) == (removed->inode.linkCount > 0);
  }

  bool link() {
    const FileId file = randomInode(false), directory = randomInode(true);
    if (file == 0) return true;
    const std::string name = randomName();
    auto linked = m_fixture.run(m_fixture.table->link(file, directory, name));
    if (linked.has_value() == (m_model.find(directory, name) != 0)) return false;
    if (linked) m_model.inodes[directory].entries[name] = file;
    return true;
  }

  bool touch() {
    const FileId file = randomInode(false);
    if (file == 0) return true;
    const uint64_t size = m_random() % 100'000;
    auto touched = m_fixture.table->touchWritten(file, size);
    m_model.inodes[file].size = std::max(m_model.inodes[file].size, size);
    if (m_random() % 2 == 0 && !m_fixture.run(m_fixture.table->persistSize(file))) return false;
    return touched && touched->after.size == m_model.inodes[file].size && touched->after.changed > touched->before.changed;
  }

  bool rename() {
    const FileId from = randomInode(true), to = randomInode(true);
    const std::string fromName = randomName(), toName = randomName();
    const FileId moved = m_model.find(from, fromName), replaced = m_model.find(to, toName);
    const bool same = moved != 0 && moved == replaced;
    const bool loops = moved != 0 && m_model.inodes[moved].isDirectory && m_model.isBelow(to, moved);
    const bool allowed = same || (moved != 0 && !loops && (replaced == 0 || m_model.mayReplace(moved, replaced)));
    auto renamed = m_fixture.rename(from, fromName, to, toName);
    if (renamed.has_value() != allowed) return false;
    if (!allowed || same) return true;
    m_model.inodes[from].entries.erase(fromName);
    m_model.inodes[to].entries[toName] = moved;
    if (replaced != 0) m_model.dropIfUnnamed(replaced);
    return renamed->moved.fileid == moved;
  }

  NamespaceFixture& m_fixture;
  Model& m_model;
  std::mt19937 m_random;
};

bool agrees(InodeTable& table, const Model& model, VstorageId vstorage) {
  if (table.fileCount(vstorage) + 1 != model.inodes.size()) return false;
  for (const auto& [id, inode] : model.inodes) {
    const auto found = table.get(id);
    if (!found || found->linkCount != model.linkCount(id)) return false;
    if (!inode.isDirectory) {
      if (found->size != inode.size || table.path(id).find('?') != std::string::npos) return false;
      continue;
    }
    const auto entries = table.list(id, 0, 1000);
    if (!entries || entries->size() != inode.entries.size()) return false;
    for (const DirectoryEntry& entry : *entries) {
      if (model.find(id, entry.name) != entry.fileid) return false;
    }
  }
  return true;
}

}  // namespace

class InodeModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void randomOperationsAgreeWithAModel() {
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    NamespaceFixture fixture;
    auto row = fixture.run(fixture.table->createVstorage("vms", "{}"));
    QVERIFY(row);
    Model model(row->root);
    Driver driver(fixture, model, seed);
    for (int round = 0; round < 4; ++round) {
      for (int step = 0; step < 120; ++step) QVERIFY2(driver.step(), qPrintable(QStringLiteral("round %1 step %2").arg(round).arg(step)));
      QVERIFY(agrees(*fixture.table, model, row->id));
      QVERIFY(fixture.run(fixture.table->persistAll()));
      fixture.reopen();
      QVERIFY(agrees(*fixture.table, model, row->id));
    }
  }
};

QTEST_GUILESS_MAIN(InodeModelTest)
#include "inode_model_test.moc"

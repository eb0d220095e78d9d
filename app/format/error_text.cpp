// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/error_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

}  // namespace

QString errorSentence(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound: return Words::tr("It does not exist.");
    case ErrorCode::Exists: return Words::tr("Something with this name exists already.");
    case ErrorCode::NotDirectory: return Words::tr("This is not a folder.");
    case ErrorCode::IsDirectory: return Words::tr("This is a folder.");
    case ErrorCode::NotEmpty: return Words::tr("It still holds files.");
    case ErrorCode::InvalidArgument: return Words::tr("A value was not accepted.");
    case ErrorCode::NameTooLong: return Words::tr("The name is too long.");
    case ErrorCode::Stale: return Words::tr("It was removed in the meantime.");
    case ErrorCode::BadHandle: return Words::tr("A client used a file handle of another store.");
    case ErrorCode::AccessDenied: return Words::tr("Access was denied.");
    case ErrorCode::NotPermitted: return Words::tr("Only the owner may do this.");
    case ErrorCode::ReadOnly: return Words::tr("The store or the vstorage is read-only.");
    case ErrorCode::NoSpace: return Words::tr("The store is full.");
    case ErrorCode::QuotaExceeded: return Words::tr("The quota of the vstorage is used up.");
    case ErrorCode::FileTooBig: return Words::tr("The file is too big.");
    case ErrorCode::TooManyLinks: return Words::tr("The file has too many links.");
    case ErrorCode::CrossDevice: return Words::tr("Source and target are in different vstorages.");
    case ErrorCode::NotSync: return Words::tr("It was changed by somebody else in the meantime.");
    case ErrorCode::BadCookie: return Words::tr("The listing is out of date.");
    case ErrorCode::TooSmall: return Words::tr("The answer does not fit in the size that was asked for.");
    case ErrorCode::IoError: return Words::tr("The disk answered with an error.");
    case ErrorCode::Corrupt: return Words::tr("Stored data is damaged.");
    case ErrorCode::Lost: return Words::tr("A file of the store is missing.");
    case ErrorCode::VersionTooNew: return Words::tr("The store was written by a newer Quarry.");
    case ErrorCode::Locked: return Words::tr("Another engine is using this store.");
    case ErrorCode::Busy: return Words::tr("The engine is busy with something else.");
    case ErrorCode::Cancelled: return Words::tr("It was cancelled.");
    case ErrorCode::Timeout: return Words::tr("The engine did not answer in time.");
    case ErrorCode::Disconnected: return Words::tr("There is no connection to the engine.");
    case ErrorCode::NotSupported: return Words::tr("The engine cannot do this.");
    case ErrorCode::Protocol: return Words::tr("The answer could not be understood.");
    case ErrorCode::Internal: return Words::tr("Something went wrong inside Quarry.");
  }
  return Words::tr("Something went wrong inside Quarry.");
}

QString errorRemedy(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotFound: return Words::tr("Refresh the page and choose again.");
    case ErrorCode::Exists: return Words::tr("Choose another name.");
    case ErrorCode::NotDirectory: return Words::tr("Choose a folder.");
    case ErrorCode::IsDirectory: return Words::tr("Choose a file.");
    case ErrorCode::NotEmpty: return Words::tr("Move the files away first, or remove it together with them.");
    case ErrorCode::InvalidArgument: return Words::tr("Correct the value that is named and try again.");
    case ErrorCode::NameTooLong: return Words::tr("Choose a shorter name.");
    case ErrorCode::Stale: return Words::tr("Refresh the page; hosts may have to mount the datastore again.");
    case ErrorCode::BadHandle: return Words::tr("Unmount the datastore on that host and mount it again.");
    case ErrorCode::AccessDenied: return Words::tr("Check the permissions of the folder and the vstorage's list of allowed hosts.");
    case ErrorCode::NotPermitted: return Words::tr("Run Quarry as the user that owns the folder, or turn root squashing off for this vstorage.");
    case ErrorCode::ReadOnly: return Words::tr("Look in Events for the reason; after a disk error, check the disk and restart the engine.");
    case ErrorCode::NoSpace: return Words::tr("Free space on its disk, run an optimization, or delete VMs that are no longer needed.");
    case ErrorCode::QuotaExceeded: return Words::tr("Raise the quota or delete VMs that are no longer needed.");
    case ErrorCode::FileTooBig: return Words::tr("Use a smaller disk for the VM.");
    case ErrorCode::TooManyLinks: return Words::tr("Copy the file instead of linking it.");
    case ErrorCode::CrossDevice: return Words::tr("Copy it instead of moving it.");
    case ErrorCode::NotSync: return Words::tr("Refresh the page and try again.");
    case ErrorCode::BadCookie: return Words::tr("Refresh the page and try again.");
    case ErrorCode::TooSmall: return Words::tr("Ask for a larger answer.");
    case ErrorCode::IoError: return Words::tr("Check the disk and its cables, and have a backup at hand before you go on.");
    case ErrorCode::Corrupt: return Words::tr("Look in Events for the files and VMs concerned and restore these from a backup.");
    case ErrorCode::Lost: return Words::tr("Check that the whole store folder is there, and restore what is missing from a backup.");
    case ErrorCode::VersionTooNew: return Words::tr("Install the newer Quarry on this machine.");
    case ErrorCode::Locked: return Words::tr("Attach to the engine that is running, or stop it first.");
    case ErrorCode::Busy: return Words::tr("Wait a moment and try again.");
    case ErrorCode::Cancelled: return Words::tr("Start it again when you want it.");
    case ErrorCode::Timeout: return Words::tr("Try again; if it stays so, look at the load of its machine and disk.");
    case ErrorCode::Disconnected: return Words::tr("Quarry keeps trying to connect; check that the engine is running.");
    case ErrorCode::NotSupported: return Words::tr("Update the engine or do it another way.");
    case ErrorCode::Protocol: return Words::tr("Check that console and engine have the same version.");
    case ErrorCode::Internal: return Words::tr("Please report it with the text above.");
  }
  return {};
}

QString errorText(const Error& error) {
  QStringList parts{errorSentence(error.code)};
  QString detail = QString::fromStdString(error.message).trimmed();
  if (!detail.isEmpty()) {
    detail[0] = detail.at(0).toUpper();
    if (!detail.endsWith(QLatin1Char('.'))) detail += QLatin1Char('.');
    parts << detail;
  }
  parts << errorRemedy(error.code);
  return parts.join(QLatin1Char(' '));
}

}  // namespace quarry

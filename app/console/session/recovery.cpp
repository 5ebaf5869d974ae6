#include "app/console/session/recovery.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <cstdio>

namespace app::console {

namespace {

QJsonObject asJson(const Recovered& text)
{
    QJsonObject lookups;
    for (const auto& [name, bytes] : text.lookups) {
        lookups.insert(QString::fromStdString(name),
                       QString::fromLatin1(QByteArray::fromStdString(bytes).toBase64()));
    }
    return {{QStringLiteral("path"), text.path},
            {QStringLiteral("name"), text.name},
            {QStringLiteral("changed"), text.changed.toString(Qt::ISODateWithMs)},
            {QStringLiteral("mark"), text.hasMark},
            {QStringLiteral("crlf"), text.isCrlf},
            {QStringLiteral("saved"), text.saved},
            {QStringLiteral("text"), text.text},
            {QStringLiteral("lookups"), lookups}};
}

std::optional<Recovered> readRecovered(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    if (!json.contains(QStringLiteral("text"))) {
        return std::nullopt;
    }
    Recovered text;
    text.path = json.value(QStringLiteral("path")).toString();
    text.name = json.value(QStringLiteral("name")).toString();
    text.text = json.value(QStringLiteral("text")).toString();
    text.hasMark = json.value(QStringLiteral("mark")).toBool();
    text.isCrlf = json.value(QStringLiteral("crlf")).toBool();
    text.changed = QDateTime::fromString(json.value(QStringLiteral("changed")).toString(),
                                         Qt::ISODateWithMs);
    text.saved = json.value(QStringLiteral("saved")).toString();
    const QJsonObject lookups = json.value(QStringLiteral("lookups")).toObject();
    for (auto one = lookups.begin(); one != lookups.end(); ++one) {
        text.lookups.emplace(
            one.key().toStdString(),
            QByteArray::fromBase64(one.value().toString().toLatin1()).toStdString());
    }
    return text;
}

} // namespace

RecoveryFile::RecoveryFile(QString folder)
    : m_folder(std::move(folder))
{
}

RecoveryFile::~RecoveryFile() = default;

QString RecoveryFile::pathOf(const QString& id) const
{
    return m_folder + QLatin1Char('/') + id + QStringLiteral(".json");
}

bool RecoveryFile::own(const QString& id)
{
    auto lock = std::make_unique<QLockFile>(pathOf(id) + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // only the end of its process makes it stale
    if (!lock->tryLock(0)) {
        return false;
    }
    m_lock = std::move(lock);
    m_id = id;
    return true;
}

QString RecoveryFile::write(const Recovered& text)
{
    if (m_id.isEmpty()) {
        if (!QDir().mkpath(m_folder) || !own(QUuid::createUuid().toString(QUuid::WithoutBraces))) {
            return QStringLiteral("%1 cannot be written to").arg(m_folder);
        }
    }
    // Under its name in one step. It need not outlive the machine, only the program: waiting for
    // the disk at every pause in typing would be felt.
    const QString path = pathOf(m_id);
    QFile file(path + QStringLiteral(".new"));
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
        return file.errorString();
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    const QByteArray bytes = QJsonDocument(asJson(text)).toJson(QJsonDocument::Compact);
    const bool isWritten = file.write(bytes) == bytes.size() && file.flush();
    file.close();
    const bool isThere = isWritten
        && std::rename(QFile::encodeName(file.fileName()).constData(),
                       QFile::encodeName(path).constData())
            == 0;
    return isThere ? QString() : QStringLiteral("%1 cannot be written").arg(path);
}

void RecoveryFile::remove()
{
    if (!m_id.isEmpty()) {
        QFile::remove(pathOf(m_id));
    }
    m_lock.reset();
    m_id.clear();
}

std::optional<Recovered> RecoveryFile::takeOver()
{
    const QDir folder(m_folder);
    for (const QFileInfo& file :
         folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        if (!own(file.completeBaseName())) {
            continue;
        }
        if (std::optional<Recovered> text = readRecovered(file.filePath())) {
            return text;
        }
        m_lock.reset();
        m_id.clear();
    }
    return std::nullopt;
}

} // namespace app::console

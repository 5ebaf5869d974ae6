#include "app/console/author/completions.h"

#include "app/console/frame/values.h"
#include "policies/advice.h"
#include "policies/schema.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <initializer_list>

namespace app::console {

namespace {

const QJsonObject& schema()
{
    static const QJsonObject kSchema
        = QJsonDocument::fromJson(QByteArray::fromStdString(policies::jsonSchema())).object();
    return kSchema;
}

QJsonObject definition(const QString& name)
{
    return schema().value(QStringLiteral("$defs")).toObject().value(name).toObject();
}

QJsonObject propertiesOf(const QJsonObject& object)
{
    return object.value(QStringLiteral("properties")).toObject();
}

QStringList fieldsOf(std::initializer_list<const char*> owners)
{
    QStringList fields;
    for (const char* owner : owners) {
        fields << propertiesOf(definition(QString::fromLatin1(owner))).keys();
    }
    fields.removeDuplicates();
    return fields;
}

QStringList valuesOf(const QString& field)
{
    QStringList values;
    for (const char* owner : {"rule", "override", "attribute", "class", "tighten"}) {
        const QJsonObject property
            = propertiesOf(definition(QString::fromLatin1(owner))).value(field).toObject();
        for (const QJsonValue& value : property.value(QStringLiteral("enum")).toArray()) {
            if (value.isString()) {
                values << value.toString();
            }
        }
    }
    const QJsonObject policy = propertiesOf(schema()).value(field).toObject();
    for (const QJsonValue& value : policy.value(QStringLiteral("enum")).toArray()) {
        values << value.toString();
    }
    values.removeDuplicates();
    return values;
}

QStringList attributesOf(const std::shared_ptr<const CheckedText>& known)
{
    QStringList names {QStringLiteral("client_ip"), QStringLiteral("method"),
                       QStringLiteral("path"),      QStringLiteral("host"),
                       QStringLiteral("user"),      QStringLiteral("api_key"),
                       QStringLiteral("status"),    QStringLiteral("user_agent")};
    if (known && known->loaded.policy) {
        for (const policies::Attribute& attribute : known->loaded.policy->attributes) {
            names << words(attribute.name.text);
        }
    }
    names.removeDuplicates();
    return names;
}

QStringList adviceNames()
{
    QStringList names;
    for (const policies::AdviceCode& code : policies::adviceCodes()) {
        names << words(code.code);
    }
    return names;
}

} // namespace

QStringList completionsFor(const QString& lineBefore,
                           const std::shared_ptr<const CheckedText>& known)
{
    static const QRegularExpression kValue(QStringLiteral("([A-Za-z_]+):\\s+[^:]*$"));
    const QRegularExpressionMatch value = kValue.match(lineBefore);
    const bool isInMatch = lineBefore.contains(QLatin1String("match:"));
    if (isInMatch && lineBefore.count(QLatin1Char('{')) > lineBefore.count(QLatin1Char('}'))) {
        return attributesOf(known);
    }
    if (value.hasMatch()) {
        const QString field = value.captured(1);
        if (field == QLatin1String("key") || field == QLatin1String("from")) {
            return attributesOf(known);
        }
        if (field == QLatin1String("allow")) {
            return adviceNames();
        }
        return valuesOf(field);
    }
    const qsizetype depth = lineBefore.size() - lineBefore.trimmed().size();
    const QString begun = lineBefore.trimmed();
    if (!lineBefore.startsWith(QLatin1Char(' '))) {
        return propertiesOf(schema()).keys();
    }
    if (depth <= 2 && !begun.startsWith(QLatin1Char('-'))) {
        return fieldsOf({"tiers"});
    }
    return fieldsOf({"rule", "override", "attribute", "exemption", "class", "tighten"});
}

} // namespace app::console

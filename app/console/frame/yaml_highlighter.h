#pragma once

#include <QSyntaxHighlighter>

namespace app::console {

/// Colours of keys, texts in quotes, numbers and rates, and comments. One line at a time: policies
/// have no texts over several lines but block scalars, which stay plain.
class YamlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit YamlHighlighter(QTextDocument* document);

protected:
    void highlightBlock(const QString& text) override;
};

} // namespace app::console

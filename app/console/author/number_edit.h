#pragma once

#include <QAbstractSpinBox>

#include <cstdint>
#include <limits>
#include <optional>

class QTimer;

namespace app::console {

/// A whole number of 64 bits, or none. Up and Down step it; what is typed counts when the typing
/// pauses, or the focus leaves.
class NumberEdit : public QAbstractSpinBox {
    Q_OBJECT

public:
    /// `name` is told to who reads the screen aloud: "Rate: requests".
    explicit NumberEdit(const QString& name, QWidget* parent = nullptr);

    /// How wide it is at least: so many digits.
    void setDigits(int digits);
    void setRange(std::int64_t least, std::int64_t most);
    /// Leaves the text as it is where it says the same, so that one can go on typing. Nothing:
    /// empty, with what holds then in its place.
    void setNumber(std::optional<std::int64_t> number, const QString& placeholder = {});
    /// Nothing where it is empty, or no number within the range.
    [[nodiscard]] std::optional<std::int64_t> number() const;

    /// May it be empty? Else an empty one takes its last number when the focus leaves.
    void setOptional(bool isOptional) { m_isOptional = isOptional; }

    [[nodiscard]] bool isEmpty() const { return text().isEmpty(); }

    void setWrong(bool isWrong);

    void stepBy(int steps) override;
    [[nodiscard]] QValidator::State validate(QString& input, int& position) const override;
    [[nodiscard]] QSize sizeHint() const override;

    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void edited(); ///< by the user

protected:
    [[nodiscard]] StepEnabled stepEnabled() const override;

private:
    void flush();

    std::int64_t m_least = 0;
    std::int64_t m_most = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> m_last;
    int m_digits = 5;
    bool m_isOptional = false;
    bool m_isDirty = false;
    QTimer* m_pause;
};

/// Sets or clears the look of a wrong field (theme.cpp).
void markWrong(QWidget& widget, bool isWrong);

} // namespace app::console

import Events
import Glibc
import Wire

/// Shows the newest positions on stderr while scans are sent. On a terminal it redraws the table
/// once a second; elsewhere it writes one plain line every ten seconds.
///
/// Only one task may use a table at a time.
final class PositionTable {
    private static let rowLimit = 24

    private let watch: PositionWatch
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shownAt = ContinuousClock.now
    private var linesAbove = 0

    init(watch: PositionWatch) { self.watch = watch }

    func showWhenDue() async {
        let now = ContinuousClock.now
        guard now - shownAt >= (isTerminal ? .seconds(1) : .seconds(10)) else { return }
        shownAt = now
        await show()
    }

    func finish() async { await show() }

    private func show() async {
        let (rows, received) = await watch.table()
        guard isTerminal else {
            writeLineToStandardError("   \(received) positions of \(rows.count) devices so far")
            return
        }
        var lines = [
            Self.line("device", "floor", "room", "true room", "error", "95 % radius")
        ]
        for row in rows.prefix(Self.rowLimit) {
            let position = row.position
            var off = ""
            if let truth = row.truth, let x = position.x, let y = position.y {
                let (dx, dy) = (x - truth.x, y - truth.y)
                off = Self.metres((dx * dx + dy * dy).squareRoot())
            }
            lines.append(
                Self.line(
                    position.device.text, position.floor?.text ?? position.state.rawValue,
                    position.room?.text ?? "-", row.truth?.room?.text ?? "-", off,
                    position.radius95.map(Self.metres) ?? ""))
        }
        lines.append("\(received) positions of \(rows.count) devices so far")
        // Moves the cursor up to the first line of the last table, and overwrites each line.
        let up = linesAbove > 0 ? "\u{1B}[\(linesAbove)A" : ""
        linesAbove = lines.count
        writeToStandardError(up + lines.map { "\u{1B}[K\($0)\n" }.joined())
    }

    private static func metres(_ value: Double) -> String {
        "\((value * 10).rounded() / 10) m"
    }

    private static func line(_ cells: String...) -> String {
        let widths = [14, 10, 18, 18, 9, 11]
        return zip(cells, widths).map { cell, width in
            let text = cell.prefix(width)
            return text + String(repeating: " ", count: width - text.count)
        }.joined(separator: " ")
    }
}

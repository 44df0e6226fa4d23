import Events
import Glibc
import Wire

/// Shows the newest positions on stderr once a second while scans are sent: drawn over itself on a
/// terminal, one plain line every ten seconds elsewhere. One task uses a table at a time.
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
            Self.line("device", "floor", "room", "really in", "off by", "within 95 %")
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
        // Up to the first line of the last table, then each line over its former self.
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

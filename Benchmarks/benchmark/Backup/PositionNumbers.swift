import EventLog
import Events
import Foundation
import Synchronization
import Wire

/// Positions with numbers from 0 in their ids, so that each can be counted.
struct PositionNumbers: Sendable {
    private static let mark: UInt64 = 0x0B4C_0000_0000_5000

    private(set) var count = 0
    private var day = PositionDay(seed: 5)

    mutating func records(_ number: Int) -> [LogRecord] {
        day.positions(number).map { position in
            var position = position
            position.id = EventID(high: Self.mark, low: 1 << 63 | UInt64(count))
            count += 1
            return position.record(source: "/benchmark")
        }
    }

    static func number(of record: StoredRecord) -> Int? {
        guard let id = record.headers["ce_id"].flatMap({ EventID($0) }), id.high == mark else {
            return nil
        }
        return Int(id.low & ~(1 << 63))
    }
}

/// Appends positions while a backup runs, and notes when how many were accepted.
final class PositionLoad: Sendable {
    struct Accepted: Sendable {
        var at: Timestamp
        var count: Int
    }

    private static let pause = Duration.milliseconds(100)

    private let task: Task<[Accepted], any Error>
    private let ending: Ending

    /// - Parameter few: the positions of an append; ten appends are a second's.
    init(_ log: any EventLog, _ numbers: PositionNumbers, each few: Int) {
        let ending = Ending()
        self.ending = ending
        task = Task {
            var numbers = numbers
            var accepted: [Accepted] = []
            while !ending.value {
                try await log.append(numbers.records(few))
                accepted.append(Accepted(at: .now, count: numbers.count))
                try await Task.sleep(for: Self.pause)
            }
            return accepted
        }
    }

    func end() async throws -> [Accepted] {
        ending.end()
        return try await task.value
    }
}

private final class Ending: Sendable {
    private let isOver = Mutex(false)
    var value: Bool { isOver.withLock(\.self) }
    func end() { isOver.withLock { $0 = true } }
}

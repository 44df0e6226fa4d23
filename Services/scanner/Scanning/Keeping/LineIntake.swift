internal import Events
import Glibc
internal import ServiceRuntime
internal import Threads
internal import Wire

/// Reads scans as JSON lines from any program. A line that is no scan is counted and told by its
/// number.
///
/// It reads on when the lines before are kept. So a program that writes faster waits, and the lines
/// in memory have 64 kB and the longest line at most.
struct LineIntake: Sendable {
    /// The answer to a request that is not to be stored.
    struct Answer: Sendable {
        var scan: ScanSubmission
        var task: ScannerTask
    }

    /// A longer line is no scan.
    static let mostBytes = 1 << 20
    private static let bytesAtOnce = 65_536
    private static let reading = BlockingWork("lines")

    let keeper: ScanKeeper
    let enrolment: ScannerEnrolment
    let time: any TimeSource
    /// The requests that lines may answer; nil where the program gets none.
    var requests: RequestLines?
    var deliver: @Sendable (Answer) async -> Void = { _ in }

    /// Reads to the end, and delivers all answers.
    ///
    /// - Parameter input: a descriptor. It may block.
    func read(_ input: Int32 = STDIN_FILENO) async {
        await withDiscardingTaskGroup { group in
            var splitter = LineSplitter()
            var number = 0
            var isOver = false
            while !isOver, !Task.isCancelled {
                var lines: [[UInt8]?] = []
                if let bytes = await Self.reading({ Self.bytes(input) }) {
                    lines = splitter.feed(bytes)
                } else {
                    isOver = true
                    if let last = splitter.end() { lines = [last] }
                }
                for line in lines {
                    number += 1
                    guard let answer = await keep(line, number) else { continue }
                    group.addTask { await deliver(answer) }
                }
            }
        }
    }

    /// The next bytes; nil at the end, and where it can't be read.
    private static func bytes(_ input: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: bytesAtOnce)
        while true {
            let count = Glibc.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }

    /// Keeps the scan of a line. A line with the id of a request that waits answers it.
    ///
    /// - Parameter line: nil for one that was too long.
    /// - Returns: the answer to a request that is not to be stored, which is not kept.
    @discardableResult
    func keep(_ line: [UInt8]?, _ number: Int) async -> Answer? {
        guard let line else {
            await keeper.refuse(line: number, because: "it is longer than 1 MB")
            return nil
        }
        guard line.contains(where: { $0 > 0x20 }) else { return nil }
        do throws(WireFault) {
            let scan = try scan(line)
            guard let requests, let id = scan.request else {
                await keeper.keep(scan)
                return nil
            }
            return await answer(id, scan, requests, number)
        } catch {
            await keeper.refuse(line: number, because: error.description)
            return nil
        }
    }

    private func answer(
        _ id: EventID, _ scan: ScanSubmission, _ requests: RequestLines, _ number: Int
    ) async -> Answer? {
        guard let task = await requests.dequeue(id) else {
            guard await !requests.hasEnded(id) else {
                await keeper.countLateAnswer(to: id, line: number)
                return nil
            }
            await keeper.refuse(line: number, because: "no request \(id) waits for an answer")
            return nil
        }
        var scan = scan
        scan.request = nil
        scan.place = task.place
        guard task.isStored else { return Answer(scan: scan, task: task) }
        await keeper.keep(scan, request: id)
        return nil
    }

    /// The scan of a line, with an id and this scanner where it names none.
    private func scan(_ line: [UInt8]) throws(WireFault) -> ScanSubmission {
        let now = Timestamp(microseconds: time.nowMicroseconds)
        var scan = try SubmissionDecoder(.file).decodeOne(line, receivedAt: now)
        guard !scan.content.saysNothing else {
            throw WireFault(.nothingHeard, "it has no readings")
        }
        scan.id = scan.id ?? EventID(at: now)
        scan.site = scan.site ?? enrolment.site
        scan.scanner = scan.scanner ?? enrolment.scanner
        scan.device = scan.device ?? DeviceID(enrolment.scanner.text)
        scan.truth = nil
        return scan
    }
}

/// Splits bytes that come in pieces into lines.
struct LineSplitter {
    private var line: [UInt8] = []
    private var isTooLong = false

    /// The lines that these bytes complete; nil for each that was too long.
    mutating func feed(_ bytes: some Sequence<UInt8>) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines.append(isTooLong ? nil : line)
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            } else if line.count < LineIntake.mostBytes {
                line.append(byte)
            } else {
                isTooLong = true
            }
        }
        return lines
    }

    /// A last line without its end.
    mutating func end() -> [UInt8]?? {
        guard !line.isEmpty || isTooLong else { return nil }
        defer { line = [] }
        return .some(isTooLong ? nil : line)
    }
}

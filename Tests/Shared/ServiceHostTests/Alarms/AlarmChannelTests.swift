import Events
import Retrying
import Synchronization
import Testing
import Wire

@testable import ServiceHost

@Suite struct AlarmChannelTests {
    private final class Sent: Sendable {
        struct Refused: Error {}
        let messages = Mutex<[(count: Int, leftOut: Int)]>([])
        let isAway = Mutex(false)
        let notes = Mutex<[String]>([])

        func channel(perHour: Int) -> AlarmChannel {
            let notices = Notices(
                onUnexpected: { [weak self] note in self?.notes.withLock { $0.append(note) } },
                onRecovery: { [weak self] note in self?.notes.withLock { $0.append(note) } })
            return AlarmChannel("Sending", perHour: perHour, notices: notices) {
                [weak self] entries, leftOut in
                guard let self else { return }
                if isAway.withLock({ $0 }) { throw Refused() }
                messages.withLock { $0.append((entries.count, leftOut)) }
            }
        }
    }

    private func entry(_ number: Int) -> AlarmNotice.Entry {
        AlarmNotice.Entry(
            alarm: "disk-low", hasEnded: false, severity: "warning", since: minute(number),
            meaning: "Low.", advice: "Mend.", labels: [:])
    }

    private func minute(_ number: Int) -> Timestamp {
        Timestamp(microseconds: Int64(number) * 60_000_000)
    }

    @Test("No more than the permitted messages go out in any hour, and none of the alarms is lost")
    func limit() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 3)
        for number in 0..<120 {
            channel.add([entry(number)])
            let before = sent.messages.withLock(\.count)
            await channel.flush(at: minute(number))
            if number < 3 || (60..<63).contains(number) {
                #expect(sent.messages.withLock(\.count) == before + 1, "\(number)")
            } else {
                #expect(sent.messages.withLock(\.count) == before, "\(number)")
            }
        }
        await channel.flush(at: minute(120))
        #expect(sent.messages.withLock { $0.reduce(0) { $0 + $1.count } } == 120)
    }

    @Test("While the way is blocked alarms wait; it is reported once, and once when it works again")
    func blocked() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 10)
        sent.isAway.withLock { $0 = true }
        channel.add([entry(0)])
        for number in 0..<5 { await channel.flush(at: minute(number)) }
        sent.isAway.withLock { $0 = false }
        channel.add([entry(5)])
        await channel.flush(at: minute(5))
        await channel.flush(at: minute(6))
        #expect(sent.messages.withLock { $0.map(\.count) } == [2])
        let notes = sent.notes.withLock(\.self)
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("Sending fails for now") == true)
        #expect(notes.last == "Sending works again.")
    }

    @Test("Too many waiting alarms are counted in place of being kept")
    func flood() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 1)
        channel.add((0..<(AlarmChannel.mostWaiting + 7)).map(entry))
        await channel.flush(at: minute(0))
        #expect(sent.messages.withLock { $0.map(\.count) } == [AlarmChannel.mostWaiting])
        #expect(sent.messages.withLock { $0.map(\.leftOut) } == [7])
    }

    @Test("The text names what began and what ended, with the advice")
    func text() {
        var ended = entry(1)
        ended.hasEnded = true
        ended.labels = ["path": "/"]
        let text = AlarmText(
            installation: "map.example", entries: [entry(0), ended], leftOut: 2)
        #expect(text.subject == "map.example: disk-low began (and 1 more)")
        let body = text.body(at: minute(31))
        #expect(body.contains("disk-low began, warning, since 1970-01-01T00:00:00"))
        #expect(body.contains("Low.\nMend."))
        #expect(body.contains("disk-low ended (path /), after 30 minutes."))
        #expect(body.contains("2 earlier alarms were left out."))
    }
}

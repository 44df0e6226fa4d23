import Events
import Retrying
import ServiceRuntime
import Synchronization
import Testing
import Wire

@testable import ServiceHost

@Suite struct AlarmChannelTests {
    private final class Sent: Sendable {
        struct Refused: Error {}
        let messages = Mutex<[(count: Int, leftOut: Int)]>([])
        let isAway = Mutex(false)
        let attempts = Mutex(0)
        let notes = Mutex<[String]>([])
        let news = Mutex<[AlarmNews]>([])
        let works = MetricsRegistry().gauge("works", help: "Works.")

        func channel(perHour: Int) -> AlarmChannel {
            let notices = Notices(
                onUnexpected: { [weak self] note in self?.notes.withLock { $0.append(note) } },
                onRecovery: { [weak self] note in self?.notes.withLock { $0.append(note) } })
            return AlarmChannel(
                "Sending", perHour: perHour, round: .seconds(60), notices: notices, works: works
            ) { [weak self] news in
                guard let self else { return }
                attempts.withLock { $0 += 1 }
                if isAway.withLock({ $0 }) { throw Refused() }
                messages.withLock { $0.append((news.entries.count, news.leftOut)) }
                self.news.withLock { $0.append(news) }
            }
        }
    }

    private func entry(
        _ number: Int, _ alarm: String = "disk-low", severity: String = "warning"
    ) -> AlarmNotice.Entry {
        AlarmNotice.Entry(
            alarm: alarm, hasEnded: false, severity: severity, since: minute(number),
            meaning: "Low.", advice: "Mend.", labels: [:])
    }

    private func minute(_ number: Int) -> Timestamp {
        Timestamp(microseconds: Int64(number) * 60_000_000)
    }

    @Test("No more than the permitted messages go out in any hour, and none of the alarms is lost")
    func limit() async {
        let sent = Sent()
        // A third is kept for what is wrong.
        var channel = sent.channel(perHour: 4)
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
        #expect(sent.works.current == 1)
        for number in 0..<5 { await channel.flush(at: minute(number)) }
        #expect(sent.works.current == 0)
        #expect(sent.attempts.withLock(\.self) == 3, "after one minute, and after two")
        sent.isAway.withLock { $0 = false }
        channel.add([entry(5)])
        for number in 5..<9 { await channel.flush(at: minute(number)) }
        #expect(sent.messages.withLock { $0.map(\.count) } == [2])
        let notes = sent.notes.withLock(\.self)
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("Sending fails for now") == true)
        #expect(notes.last == "Sending works again.")
        #expect(sent.works.current == 1)
    }

    @Test("A server that fails for hours gets no more attempts than messages are permitted")
    func failing() async {
        for perHour in [1, 4, 10] {
            let sent = Sent()
            var channel = sent.channel(perHour: perHour)
            sent.isAway.withLock { $0 = true }
            channel.add([entry(0, "backup-old", severity: "wrong")])
            for number in 0..<60 { await channel.flush(at: minute(number)) }
            // The first pauses are shorter.
            #expect(sent.attempts.withLock(\.self) <= perHour + 6)
            sent.attempts.withLock { $0 = 0 }
            for number in 60..<240 { await channel.flush(at: minute(number)) }
            let later = sent.attempts.withLock(\.self)
            #expect((1...3 * perHour).contains(later))
        }
    }

    @Test("After the clock was set back messages go out as usual, also after a failure")
    func setBack() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 3)
        for number in 0..<2 {
            channel.add([entry(number)])
            await channel.flush(at: minute(100_000 + number))
        }
        channel.add([entry(2)])
        await channel.flush(at: minute(10))
        #expect(sent.messages.withLock(\.count) == 2)
        await channel.flush(at: minute(70))
        #expect(sent.messages.withLock(\.count) == 3)
        sent.isAway.withLock { $0 = true }
        channel.add([entry(3)])
        await channel.flush(at: minute(71))
        sent.isAway.withLock { $0 = false }
        await channel.flush(at: minute(5))
        await channel.flush(at: minute(6))
        #expect(sent.messages.withLock(\.count) == 4)
    }

    @Test("Too many waiting alarms are counted in place of being kept")
    func flood() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 1)
        channel.add((0..<(AlarmChannel.mostWaiting + 7)).map { entry($0) })
        await channel.flush(at: minute(0))
        #expect(sent.messages.withLock { $0.map(\.count) } == [AlarmChannel.mostWaiting])
        #expect(sent.messages.withLock { $0.map(\.leftOut) } == [7])
    }

    @Test("What is wrong does not wait for warnings that have used up their messages")
    func reserve() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 6)
        for number in 0..<20 {
            channel.add([entry(number)])
            await channel.flush(at: minute(number))
        }
        #expect(sent.messages.withLock(\.count) == 4)
        channel.add([entry(21, "backup-old", severity: "wrong")])
        await channel.flush(at: minute(21))
        #expect(sent.messages.withLock(\.count) == 5)
    }

    @Test("A beginning that was left out is sent while the alarm stands, and others are named")
    func standing() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 6)
        let (low, lag) = (entry(0), entry(0, "lag"))
        channel.add([low])
        await channel.flush(at: minute(0), standing: [low])
        await channel.flush(at: minute(1), standing: [low, lag])
        let news = sent.news.withLock(\.self)
        #expect(news.map { $0.entries.map(\.alarm) } == [["disk-low"], ["lag"]])
        #expect(news.map { $0.standing.map(\.alarm) } == [[], ["disk-low"]])
        await channel.flush(at: minute(2), standing: [low, lag])
        #expect(sent.messages.withLock(\.count) == 2)
    }

    @Test("Of too many alarms warnings are left out before what is wrong")
    func urgent() async {
        let sent = Sent()
        var channel = sent.channel(perHour: 3)
        channel.add([entry(0, "backup-old", severity: "wrong")])
        channel.add((0..<AlarmChannel.mostWaiting).map { entry($0) })
        await channel.flush(at: minute(0))
        let kept = sent.news.withLock { $0[0].entries.map(\.alarm) }
        #expect(kept.contains("backup-old") && kept.count == AlarmChannel.mostWaiting)
    }

    @Test("The text names what began and what ended, with the advice")
    func text() {
        var ended = entry(1)
        ended.hasEnded = true
        ended.labels = ["path": "/"]
        let text = AlarmText(
            installation: "map.example",
            news: AlarmNews(
                entries: [entry(0), ended], standing: [entry(2, "lag")], leftOut: 2))
        #expect(text.subject == "map.example: disk-low began (and 1 more)")
        let body = text.body(at: minute(31))
        #expect(body.contains("disk-low began, warning, since 1970-01-01T00:00:00"))
        #expect(body.contains("Low.\nMend."))
        #expect(body.contains("disk-low ended (path /), after 30 minutes."))
        #expect(body.contains("2 earlier alarms were left out."))
        #expect(body.contains("Also standing:\n- lag, warning, since 1970-01-01T00:02:00"))
    }
}

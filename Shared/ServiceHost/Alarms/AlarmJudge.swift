import Events

/// Decides which alarms begin and end, from the samples of each round.
///
/// It knows no clock: each round comes with its time.
struct AlarmJudge: Sendable {
    /// The subject of an alarm: a rule and the labels of one series.
    struct Subject: Hashable, Sendable {
        var rule: AlarmRule
        var labels: [String: String]
    }

    /// An alarm that begins or ends.
    struct Change: Hashable, Sendable {
        var subject: Subject
        var hasEnded: Bool
        var since: Timestamp
    }

    /// The label that names the process of a sample.
    static let serviceLabel = "service"
    private static let microsecondsOfMinute: Int64 = 60_000_000

    private struct Count {
        var at: Timestamp
        var value: Double
    }

    private let rules: [AlarmRule]
    /// After a start nothing begins for this time: other services may be starting as well, and
    /// figures come in one after the other.
    private let quietMicroseconds: Int64
    private var firstRound: Timestamp?
    /// Since when each rule has held.
    private var holding: [Subject: Timestamp] = [:]
    private var raised: Set<Subject> = []
    private var counts: [Subject: [Count]] = [:]

    init(
        rules: [AlarmRule] = AlarmRule.all.filter(\.isAlarm), quietMicroseconds: Int64 = 0
    ) {
        self.rules = rules
        self.quietMicroseconds = quietMicroseconds
    }

    /// Alarms that have begun and not ended, in the order of the rules.
    var standing: [Change] {
        rules.flatMap { rule in
            raised.filter { $0.rule == rule }.sorted(by: Self.inOrder).map { subject in
                Change(
                    subject: subject, hasEnded: false,
                    since: holding[subject] ?? Timestamp(milliseconds: 0))
            }
        }
    }

    /// The changes of a round, in the order of the rules.
    ///
    /// - Parameter samples: those of all processes. A process that did not answer has only the
    ///   sample `up`, and its other alarms stay as they are.
    mutating func judge(_ samples: [MetricSample], at now: Timestamp) -> [Change] {
        comeBack(to: now)
        let isQuiet = now - (firstRound ?? now) < quietMicroseconds
        firstRound = firstRound ?? now
        let answering = Set(
            samples.filter { $0.name == AlarmRule.answering && $0.value > 0 }
                .compactMap { $0.labels[Self.serviceLabel] })
        let byName = Dictionary(grouping: samples, by: \.name)
        var changes: [Change] = []
        for rule in rules {
            var held: Set<Subject> = []
            for sample in byName[rule.metric] ?? [] {
                let subject = Subject(rule: rule, labels: labels(of: sample, rule))
                if holds(subject, sample.value, at: now) { held.insert(subject) }
            }
            changes += begin(held, minutes: rule.minutes, isQuiet: isQuiet, at: now)
            changes += end(rule, except: held, answering)
        }
        return changes
    }

    /// Times that lie ahead are from before the clock was set back. They count as now: otherwise
    /// nothing would begin or be forgotten until the clock is there again.
    private mutating func comeBack(to now: Timestamp) {
        firstRound = firstRound.map { min($0, now) }
        holding = holding.mapValues { min($0, now) }
        counts = counts.mapValues { $0.map { Count(at: min($0.at, now), value: $0.value) } }
    }

    /// Several processes of a machine see the same disk, and it is one alarm.
    private func labels(of sample: MetricSample, _ rule: AlarmRule) -> [String: String] {
        rule.isOfMachine ? sample.labels.filter { rule.labels.contains($0.key) } : sample.labels
    }

    private mutating func holds(
        _ subject: Subject, _ value: Double, at now: Timestamp
    ) -> Bool {
        guard case .grownBy(let most, let minutes) = subject.rule.limit else {
            return subject.rule.holds(value)
        }
        var known = counts[subject] ?? []
        // A restarted process counts from 0 again.
        if let last = known.last, value < last.value { known = [Count(at: now, value: 0)] }
        known.append(Count(at: now, value: value))
        let span = Int64(minutes) * Self.microsecondsOfMinute
        known.removeAll { now - $0.at > span }
        counts[subject] = known
        return value - (known.first?.value ?? value) > most
    }

    private mutating func begin(
        _ held: Set<Subject>, minutes: Int, isQuiet: Bool, at now: Timestamp
    ) -> [Change] {
        var changes: [Change] = []
        for subject in held.sorted(by: Self.inOrder) {
            let since = holding[subject] ?? now
            holding[subject] = since
            guard !isQuiet, now - since >= Int64(minutes) * Self.microsecondsOfMinute,
                raised.insert(subject).inserted
            else { continue }
            changes.append(Change(subject: subject, hasEnded: false, since: since))
        }
        return changes
    }

    private mutating func end(
        _ rule: AlarmRule, except held: Set<Subject>, _ answering: Set<String>
    ) -> [Change] {
        var changes: [Change] = []
        for (subject, since) in holding.filter({ $0.key.rule == rule && !held.contains($0.key) })
            .sorted(by: { Self.inOrder($0.key, $1.key) })
        {
            let service = subject.labels[Self.serviceLabel]
            // Nobody knows how a process is that does not answer.
            if rule.metric != AlarmRule.answering, let service, !answering.contains(service) {
                continue
            }
            holding[subject] = nil
            guard raised.remove(subject) != nil else { continue }
            changes.append(Change(subject: subject, hasEnded: true, since: since))
        }
        return changes
    }

    private static func inOrder(_ left: Subject, _ right: Subject) -> Bool {
        left.labels.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            .lexicographicallyPrecedes(
                right.labels.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
    }
}

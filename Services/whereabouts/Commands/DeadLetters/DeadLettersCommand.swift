import EventLog
import Events
import Locator
import LogViews
import ServiceHost
import ServiceRuntime
import Wire

extension Command {
    /// Lists and shows dead letters, and puts their records back once the cause is mended.
    public static let deadLetters = Command(
        name: "dead-letters", summary: "list, show or put back records that were set aside",
        help: """
            whereabouts dead-letters list [--topic TOPIC] [--all]
            whereabouts dead-letters show ID
            whereabouts dead-letters apply ID
            whereabouts dead-letters apply --everything [--topic TOPIC]

              ID            topic/partition/offset, as list prints it; if two consumers set the
                            record aside, both letters
              --topic       only letters of this topic, such as whereabouts.scans
              --all         also letters that were put back
              --everything  all letters that were never put back, the oldest first

            apply puts a record back: into a view in one transaction, or to a processor as a late
            record with the same id. A second apply of the same letter does nothing. It prints a
            line for each letter, with its outcome:

              put-back      the record is in the view, or the processor has it. The processor sets
                            it aside again if the cause is still there; list then shows wasPutBack
              not-missing   nothing was done: the record was put back before, or never missing
              not-whole     the letter holds only a part of the record, so it can't be put back
              refused       code and detail give the reason

            The last line counts the outcomes. leftAlone counts letters that were put back before
            and came again: --everything leaves them out, so apply them by their ids. The last line
            of list counts its letters. The exit status is 1 if a letter was refused or not whole,
            else 0. Uses the same settings as the services.
            """,
        run: { try await deadLetters($0) })

    private static func deadLetters(_ invocation: Invocation) async throws {
        let request = try DeadLettersRequest(invocation.arguments)
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts dead-letters",
            settings: ServiceProgram.serviceSettings)
        let box = try await LetterBox(host.log)
        let places = box.entries.filter { request.topic == nil || $0.value.topic == request.topic }
            .sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
        func chosen(_ isWanted: (LetterBox.Entry) -> Bool) -> [LetterBox.Place] {
            places.filter { isWanted($0.value) }.map(\.key)
        }
        func named(_ id: String) throws(CommandFault) -> [LetterBox.Place] {
            let named = places.map(\.key).filter { $0.id == id }
            guard !named.isEmpty else {
                throw CommandFault("there is no dead letter \(id); list shows them")
            }
            return named
        }
        /// Prints the letters and returns their number.
        func show(_ places: [LetterBox.Place], isWhole: Bool) async throws -> Int {
            var count = 0
            try await box.read(places, from: host.log) { place, letter in
                let putBackAt = box.entries[place]?.putBackAt
                invocation.output(
                    DeadLettersLines.letter(letter, putBackAt: putBackAt, isWhole: isWhole))
                count += 1
            }
            return count
        }
        switch request.work {
        case .list(let withPutBack):
            let count = try await show(
                chosen { withPutBack || $0.putBackAt == nil }, isWhole: false)
            invocation.output(DeadLettersLines.count(count))
        case .show(let id):
            _ = try await show(named(id), isWhole: true)
        case .apply(let id):
            try await apply(named(id), host, box, isNamed: true, leftAlone: 0, invocation)
        case .applyEverything:
            try await apply(
                chosen { $0.putBackAt == nil && !$0.wasPutBack }, host, box, isNamed: false,
                leftAlone: chosen { $0.putBackAt == nil && $0.wasPutBack }.count, invocation)
        }
        await host.log.close()
    }

    /// Puts the letters back one by one and prints each outcome, then the counts.
    ///
    /// - Throws: `CommandFault` if a letter could not be put back.
    private static func apply(
        _ places: [LetterBox.Place], _ host: Host, _ known: LetterBox, isNamed: Bool,
        leftAlone: Int, _ invocation: Invocation
    ) async throws {
        var box = known
        var summary = DeadLettersSummary(leftAlone: leftAlone)
        try await known.read(places, from: host.log) { place, letter in
            let outcome: Host.PutBackOutcome
            do {
                outcome = try await apply(letter, host, &box, isNamed: isNamed)
            } catch {
                // One letter's error does not stop the next ones.
                outcome = .refused(code: ProblemCode.putBackFailed.text, detail: "\(error)")
            }
            summary.count(outcome)
            invocation.output(
                DeadLettersLines.outcome(id: place.id, consumer: place.consumer, outcome))
        }
        invocation.output(summary.line)
        if summary.failures > 0 {
            throw CommandFault(
                "\(summary.failures) of \(places.count) letters could not be put back; the lines "
                    + "above give the reasons")
        }
    }
}

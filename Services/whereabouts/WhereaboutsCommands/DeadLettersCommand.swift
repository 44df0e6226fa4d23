import EventLog
import Events
import JSON
import LogViews
import ServiceHost
import ServiceRuntime
import Wire

extension Command {
    /// Shows what was set aside, and puts it back once its cause is gone.
    public static let deadLetters = Command(
        name: "dead-letters", summary: "list, show or put back records that were set aside",
        help: """
            whereabouts dead-letters list [--topic TOPIC] [--all]
            whereabouts dead-letters show ID
            whereabouts dead-letters apply ID|--everything [--topic TOPIC]

              ID            topic/partition/offset, as list prints it
              --topic       only those of this topic, such as whereabouts.surveys
              --all         also those that were put back
              --everything  all that are missing still and were not put back before, oldest first

            apply puts a record back where it was set aside: into a view in one transaction, and to a
            processor as a record of the same id, which is late. Asked for twice it is done once. A
            record whose cause is not gone stays set aside: a view says so at once, a processor sets
            it aside anew, and list shows it with wasPutBack. Reads the settings of the services.
            """,
        run: { try await deadLetters($0) })

    private static func deadLetters(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments, options: ["--topic"], flags: ["--all", "--everything"])
        let host = try Host.make(
            environment: ServiceProgram.processEnvironment, service: "whereabouts dead-letters")
        var box = try await LetterBox(host.log)
        let known = box
        let topic = reader.last("--topic")
        let places = known.entries.filter { topic == nil || $0.value.topic == topic }
            .sorted { ($0.value.at, $0.key) < ($1.value.at, $1.key) }
        func chosen(_ isWanted: (LetterBox.Place, LetterBox.Entry) -> Bool) -> [LetterBox.Place] {
            places.filter { isWanted($0.key, $0.value) }.map(\.key)
        }
        func show(_ places: [LetterBox.Place], isWhole: Bool) async throws {
            try await known.read(places, from: host.log) { place, letter in
                let putBackAt = known.entries[place]?.putBackAt
                invocation.output(line(letter, putBackAt: putBackAt, isWhole: isWhole))
            }
        }
        switch (reader.positional.first, reader.positional.count) {
        case ("list", 1):
            try await show(chosen { reader.has("--all") || $1.putBackAt == nil }, isWhole: false)
        case ("show", 2):
            let shown = chosen { place, _ in place.id == reader.positional[1] }
            guard !shown.isEmpty else { throw unknown(reader.positional[1]) }
            try await show(shown, isWhole: true)
        case ("apply", 2), ("apply", 1):
            guard (reader.positional.count == 2) != reader.has("--everything") else {
                throw UsageFault("apply takes one ID, or --everything")
            }
            let wanted = chosen { place, entry in
                reader.positional.count == 1
                    ? entry.putBackAt == nil && !entry.wasPutBack
                    : place.id == reader.positional[1]
            }
            if wanted.isEmpty, reader.positional.count == 2 { throw unknown(reader.positional[1]) }
            var failures = 0
            try await known.read(wanted, from: host.log) { place, letter in
                let outcome: Host.PutBackOutcome
                do {
                    outcome = try await apply(
                        letter, host, &box, isNamed: reader.positional.count == 2)
                } catch {
                    // The next may be better.
                    failures += 1
                    outcome = .refused(code: "put-back-failed", detail: "\(error)")
                }
                invocation.output(line(place, outcome))
            }
            if failures > 0 {
                throw CommandFault("\(failures) of \(wanted.count) could not be put back")
            }
        default:
            throw UsageFault("dead-letters takes list, show ID, apply ID or apply --everything")
        }
        await host.log.close()
    }

    private static func unknown(_ id: String) -> CommandFault {
        CommandFault("there is no dead letter \(id); list shows them")
    }

    /// The topic that each processor reads.
    private static let inputs = [
        "scan-ingest": Topic.scansInbound.name, "locator": Topic.scans.name,
    ]

    /// - Parameter isNamed: somebody has chosen this letter, and may have looked at it.
    private static func apply(
        _ letter: DeadLettered, _ host: Host, _ box: inout LetterBox, isNamed: Bool
    ) async throws -> Host.PutBackOutcome {
        guard let consumer = letter.consumer, letter.stored != nil else { return .notWhole }
        let view = views.values.map({ $0(host) }).first { $0.name == consumer }
        guard view?.topics.contains(letter.topic) ?? (inputs[consumer] == letter.topic) else {
            return .refused(
                code: "consumer-wrong", detail: "\(consumer) does not read \(letter.topic)")
        }
        switch try await host.original(of: letter) {
        case .there: break
        case .gone where isNamed: break
        case .gone:
            return .refused(
                code: "record-gone",
                detail: "the log does not hold the record any more, so only the letter says what "
                    + "it was: look at it (show), and apply it by its id")
        case .otherwise:
            return .refused(
                code: "letter-wrong", detail: "the log holds no such record, or another one")
        }
        if let view { return try await host.putBack(letter, to: view) }
        return try await host.putBack(letter, toProcessor: consumer, &box)
    }

    private static func line(_ place: LetterBox.Place, _ outcome: Host.PutBackOutcome) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("id", place.id)
        line.field("consumer", place.consumer)
        switch outcome {
        case .putBack: line.field("outcome", "put-back")
        case .notMissing: line.field("outcome", "not-missing")
        case .notWhole: line.field("outcome", "not-whole")
        case .refused(let code, let detail):
            line.field("outcome", "refused")
            line.field("code", code)
            line.field("detail", detail)
        }
        line.endObject()
        return line.finishText()
    }

    private static func line(
        _ letter: DeadLettered, putBackAt: Timestamp?, isWhole: Bool
    ) -> String {
        var line = JSONWriter()
        line.beginObject()
        line.field("id", letter.id)
        line.field("consumer", letter.consumer)
        line.field("code", letter.code)
        line.field("detail", letter.detail)
        line.field("at", microseconds: letter.at.microseconds)
        line.field("putBackAt", microseconds: putBackAt?.microseconds)
        line.field("wasPutBack", letter.wasPutBack)
        line.field("bytes", letter.value?.count ?? 0)
        line.field("isWhole", letter.stored != nil)
        if isWhole {
            let key = letter.key ?? []
            line.field("key", String(decoding: key, as: UTF8.self))
            if let value = letter.value {
                if let text = String(validating: value, as: UTF8.self) {
                    line.field("value", text)
                } else {
                    line.name("valueBase64")
                    line.base64(value)
                }
            }
        }
        line.endObject()
        return line.finishText()
    }
}

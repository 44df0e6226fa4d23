import Events
import HTTP
import JSON
import ServiceHost
import Wire

/// What somebody decided of surveys that were kept aside.
struct SurveyDecision {
    var isAccepted: Bool
    var surveys: [EventID]

    init(_ body: [UInt8]) throws {
        let read: (word: String?, surveys: [EventID?])
        do {
            read = try JSONParser.read(body) { root in
                var ids: [EventID?] = []
                if let elements = root.object?["surveys"]?.array {
                    for element in elements {
                        ids.append(element.string.flatMap { EventID($0) })
                    }
                }
                return (root.object?["decision"]?.string, ids)
            }
        } catch let fault as JSONFault {
            let fault = WireFault(fault)
            throw Problem(fault)
        }
        switch read.word {
        case "accept": isAccepted = true
        case "reject": isAccepted = false
        default:
            throw Problem(.decisionMalformed, "decision is accept or reject.")
        }
        surveys = try read.surveys.map { id in
            guard let id else { throw Problem(.idMalformed, "A survey's id is a UUID.") }
            return id
        }
    }
}

import HTTP
import ServiceHost
import Site
import Wire

extension SiteRefusal {
    var problem: Problem {
        switch self {
        case .invalid(let faults):
            let first = faults.faults.prefix(10).map { "\($0.subject): \($0.detail)" }
            let count = faults.faults.count
            return Problem(
                .siteInvalid,
                "\(count == 1 ? "1 fault" : "\(count) faults"): " + first.joined(separator: "; "))
        case .versionConflict(let expected, let actual):
            return Problem(
                .versionMovedOn,
                "Version \(expected) was expected, but version \(actual) is published: "
                    + "read the site again, and send your change with its version.")
        case .revisionConflict(let expected, let actual):
            return Problem(
                .versionMovedOn,
                "Revision \(expected) of the draft was expected, but it is at \(actual): "
                    + "read it again, and send your change with its ETag.")
        case .unknown(let thing):
            return Problem(.thingUnknown, "There is no \(thing.kind) \(thing.id).")
        case .stillNamed(let thing, let dependents):
            return Problem(
                .stillNamed,
                "\(dependents.count) record(s) name \(thing.kind) \(thing.id): change them, "
                    + "or remove them too with ?cascade=true.")
        case .notClearable(let thing):
            return Problem(
                .notClearable, "Name a room, a location or a floor: a \(thing.kind) has no surveys."
            )
        case .notLinkable:
            return Problem(
                .notLinkable, "A walk joins two different locations of one floor.")
        case .nothingToUndo:
            return Problem(
                .nothingToUndo,
                "No earlier change of the draft is stored; restore a version instead.")
        case .changedSince(let thing):
            return Problem(
                .draftEditConflict,
                "Somebody changed the \(thing.title) \(thing.id) since: change it by hand."
                    .replacing("  ", with: " "))
        }
    }

    /// The answer, with the new ETag, or with the records that still name the record to remove.
    var response: HTTPResponse {
        var response = problem.response
        switch self {
        case .revisionConflict(_, let actual):
            response.headers.append(("etag", EntityTag.draft(actual).text))
        case .versionConflict(_, let actual):
            response.headers.append(("etag", EntityTag.version(actual).text))
        case .stillNamed(_, let dependents):
            response.body = .bytes(
                StillNamedProblem.json(
                    code: problem.code, status: problem.status, detail: problem.detail,
                    dependents: dependents))
        default: break
        }
        return response
    }
}

extension Route.Handler {
    /// Runs the body, and answers its refusals with their problems. A client that has the answer
    /// already gets 304.
    static func refusing(
        _ body: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) -> Route.Handler {
        .task { request in
            do {
                return try await body(request).revalidated(for: request)
            } catch let refusal as SiteRefusal {
                return refusal.response
            } catch let fault as WireFault {
                throw Problem(fault)
            }
        }
    }
}

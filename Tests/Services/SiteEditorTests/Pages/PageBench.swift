import Events
import Foundation
import Geometry
import HTTP
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Synchronization
import Wire

@testable import SiteEditor

/// The pages over the sample site. Records come from stand-ins for the routes over PostgreSQL, and
/// routes from a stand-in for the router.
struct PageBench {
    let bench: ServiceBench
    let app: Served
    let token: String
    /// The bodies of the questions to the router.
    let questions: Questions

    final class Questions: Sendable {
        private let all = Mutex<[String]>([])
        var bodies: [String] { all.withLock { $0 } }
        func add(_ body: [UInt8]) {
            all.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
        }
    }

    /// - Parameters:
    ///   - change: changes the sample site.
    ///   - route: the router's answer; nil where it does not answer.
    ///   - outages: the connections that are out of order.
    ///   - times: answers of timetable-fetcher by the ends of their paths.
    init(
        sites: [SiteID] = [SampleSite.id], route: (status: Int, body: String)? = nil,
        times: [String: String] = [:], outages: [String] = [],
        change: (inout SiteDocument) -> Void = { _ in }
    ) async throws {
        bench = try await ServiceBench()
        var document = SampleSite.index.document
        change(&document)
        bench.publish(try SiteIndex(document))
        let questions = Questions()
        self.questions = questions
        let own = try RequestHandler(
            routes: Self.records(of: document, sites) + [Self.list(of: outages)]
                + SearchRoutes(sites: bench.sites).all
                + MapRoutes(sites: bench.sites).all,
            authenticator: bench.tokens, authorizer: TableAuthorizer())
        let visitor = bench.issue(.visitor)
        token = visitor
        let services = PageServices(
            own: own, sites: bench.sites, clock: bench.clock, beginSession: { ("none", "none") },
            askRouter: { body, credentials in
                guard let route, credentials.contains(where: { $0.value.contains(visitor) }) else {
                    throw Problem.starting
                }
                questions.add(body)
                return (route.status, Array(route.body.utf8))
            },
            timetables: { path, _ in
                times.first { path.prefix { $0 != "?" }.hasSuffix($0.key) }
                    .map { Array($0.value.utf8) }
            })
        app = try bench.serve(
            VisitorRoutes(
                services: services,
                frame: PageFrame(policy: "x", modules: ["main.js"], following: ["later.js"])
            ).all)
    }

    func get(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await app.send("GET", target, token: token, headers: headers)
    }

    private static func list(of outages: [String]) -> Route {
        Route(
            .get, "/v1/outages",
            handler: .task { _ in
                let list = outages.map { ["id": $0, "connection": $0, "reason": "broken"] }
                return .json(
                    [UInt8](try JSONSerialization.data(withJSONObject: ["outages": list])))
            })
    }

    private static func records(of document: SiteDocument, _ sites: [SiteID]) -> [Route] {
        func route(_ path: String, _ find: @escaping @Sendable (String) -> [String: Any]?) -> Route
        {
            Route(
                .get, "/v1/sites/{site}/\(path)/{id}",
                handler: .task { request in
                    guard let found = find(request.parameters["id"] ?? "") else {
                        throw Problem.notFound
                    }
                    return .json([UInt8](try JSONSerialization.data(withJSONObject: found)))
                })
        }
        return [
            Route(
                .get, "/v1/sites",
                handler: .task { _ in
                    let list = sites.map { site -> [String: Any] in
                        [
                            "id": site.text, "name": document.name,
                            "names": document.names.byLanguage,
                        ]
                    }
                    return .json(
                        [UInt8](try JSONSerialization.data(withJSONObject: ["sites": list])))
                }),
            route("rooms") { id in
                document.rooms.first { $0.id.text == id }.map { room in
                    var members: [String: Any] = [
                        "id": id, "name": room.name, "floor": room.floor.text,
                        "names": room.names.byLanguage,
                    ]
                    members["openingHours"] = room.openingHours
                    return members
                }
            },
            route("floors") { id in
                document.floors.first { $0.id.text == id }.map {
                    ["id": id, "level": $0.level, "building": $0.building.text]
                }
            },
            route("buildings") { id in
                document.buildings.first { $0.id.text == id }.map {
                    ["id": id, "name": $0.name]
                }
            },
            route("directory") { id in
                document.directory.first { $0.id.text == id }.map { entry in
                    var members: [String: Any] = ["id": id, "name": entry.name]
                    // The API never has such an address; the page must not trust it.
                    members["website"] = entry.kind == "attack" ? "javascript:alert(1)" : nil
                    members["telephone"] = entry.telephone
                    return members
                }
            },
        ]
    }
}

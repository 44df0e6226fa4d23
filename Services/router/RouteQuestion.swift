import Directions
import Events
import HTTP
import ServiceHost
import Wayfinding
import Wire

/// A request for a route, checked and prepared: the query, and the language of its answer.
struct RouteQuestion: Sendable {
    var query: RouteQuery
    /// For each destination of the query, the index of the requested place that it stands for.
    var origins: [Int]
    var language: any DirectionLanguage
    var clock: LocalClock
    /// Whether the answer has the steps for those who can't see as well.
    var isSpoken: Bool

    /// - Throws: a `Problem` that names the fault in the request.
    init(
        _ submission: RouteSubmission, from: RoutePlace, to: PlaceFinder.Found, site: ReadySite,
        now: Timestamp, acceptLanguage: String?
    ) throws(Problem) {
        let departAt = submission.departAt ?? now
        let offset = site.utcOffsetSeconds(at: departAt)
        query = RouteQuery(
            from: from, to: to.places, profile: try submission.travelProfile(), departAt: departAt,
            utcOffsetSeconds: offset, alternatives: submission.alternatives)
        origins = to.origins
        let wanted = submission.language.map { [$0] } ?? languageTags(acceptLanguage)
        language = DirectionLanguages.matching(wanted)
        clock = LocalClock(now: departAt, utcOffsetSeconds: offset)
        isSpoken = submission.isSpoken
    }
}

extension RouteSubmission {
    /// The named profile with the request's own changes.
    fileprivate func travelProfile() throws(Problem) -> TravelProfile {
        let text = self.profile ?? TravelProfile.Name.walking.rawValue
        guard let name = TravelProfile.Name(rawValue: text) else {
            let known = TravelProfile.Name.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.profileUnknown, "Send profile as one of \(known).")
        }
        var profile = TravelProfile.named(name)
        for way in avoid {
            guard let way = AvoidedWay(rawValue: way) else {
                let known = AvoidedWay.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.avoidUnknown, "Send avoid with words of \(known).")
            }
            profile.avoided.insert(way)
        }
        if let walkingSpeed { profile.walkingSpeed = walkingSpeed }
        if let slopeLimit { profile.slopeLimit = slopeLimit }
        if let neededWidthMetres { profile.neededWidthMetres = neededWidthMetres }
        if let kerbLimitMetres { profile.kerbLimitMetres = kerbLimitMetres }
        if let liftWaitSeconds { profile.pace.liftWaitSeconds = liftWaitSeconds }
        switch usesSoftSurfaces {
        case true?: profile.surfacesLeftOut = []
        case false?: profile.surfacesLeftOut.formUnion(TravelProfile.softSurfaces)
        case nil: break
        }
        return profile
    }
}

/// The language tags of Accept-Language (RFC 9110, section 12.5.4), in order of preference.
func languageTags(_ field: String?) -> [String] {
    let wanted = (field ?? "").split(separator: ",").prefix(20).compactMap { part in
        let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let tag = pieces.first, !tag.isEmpty else {
            return nil as (tag: String, weight: Double)?
        }
        let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
            Double($0.dropFirst(2))
        }
        return (tag, weight ?? 1)
    }
    // Tags of equal weight keep the sender's order.
    return wanted.enumerated().filter { $0.element.weight > 0 }.sorted {
        ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map(\.element.tag)
}

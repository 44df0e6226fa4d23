import Events
import Geometry

/// What is easily got wrong by hand: a door that is drawn away from its rooms, hours and time zones
/// that nobody can read, a plan whose points do not agree.
struct DetailReview {
    /// Metres between a stop and the room that it names, beyond which one of them is wrong: a thick
    /// wall and a hand that is not sure.
    private static let stopMetres = 2.0
    /// A plan that is this much longer one way than the other by its points, or leans so much, has
    /// a wrong one; paper and a hand that is not sure make less.
    private static let mostStretch = 1.15
    /// Metres by which the points of a plan may disagree.
    private static let mostResidual = 3.0

    private(set) var findings: [ReviewFinding] = []

    init(_ site: SiteIndex, isTimeZone: (String) -> Bool) {
        for connection in site.document.connections { review(connection, site) }
        for room in site.rooms {
            review(room.openingHours, .room(room.id), "the room \(room.id)")
        }
        for connection in site.document.connections {
            review(
                connection.openingHours, .connection(connection.id),
                "the \(connection.kind.rawValue) \(connection.id)")
        }
        for entry in site.document.directory {
            review(entry.openingHours, .entry(entry.id), entry.name)
        }
        for building in site.document.buildings where !isTimeZone(building.timeZone) {
            add(
                .timeZoneUnknown, .building(building.id),
                "\(building.timeZone) is no time zone; one is such as Europe/London. "
                    + "\(building.name) counts in UTC until it has one.")
        }
        for plan in site.document.floorPlans { review(plan, site) }
    }

    private mutating func add(
        _ code: ReviewFinding.Code, _ subject: ReviewFinding.Subject, _ text: String,
        with others: [ReviewFinding.Subject] = []
    ) {
        findings.append(ReviewFinding(code, .warning, [subject] + others, text))
    }

    private mutating func review(_ connection: ConnectionRecord, _ site: SiteIndex) {
        for stop in connection.stops {
            guard let id = stop.room, let room = site.roomIndex(id),
                let outline = site.outline(room)
            else { continue }
            let metres = outline.distance(from: stop.point)
            guard metres > Self.stopMetres else { continue }
            add(
                .awayFromRoom, .connection(connection.id),
                "The \(connection.kind.rawValue) \(connection.id) is drawn "
                    + "\(Int(metres.rounded())) m away from its room \(id).", with: [.room(id)])
        }
    }

    private mutating func review(
        _ hours: String?, _ subject: ReviewFinding.Subject, _ name: String
    ) {
        guard let hours, OpeningHours(hours) == nil else { return }
        add(
            .hoursUnreadable, subject,
            "The hours \"\(hours)\" of \(name) can't be read, and count as always open; they are "
                + "written like Mo-Fr 09:00-17:00.")
    }

    private mutating func review(_ plan: FloorPlanRecord, _ site: SiteIndex) {
        guard
            let transform = try? PlanTransform(
                plan.alignment, widthPixels: plan.widthPixels, heightPixels: plan.heightPixels,
                siteBearingDegrees: site.document.bearingDegrees)
        else { return }
        if transform.residualMetres > Self.mostResidual {
            add(
                .planPointsDisagree, .floorPlan(plan.id),
                "The points of the plan \(plan.id) are \(Int(transform.residualMetres.rounded())) m "
                    + "apart from what they should be: one of them is wrong.")
        } else if transform.isMirrored || transform.stretch > Self.mostStretch {
            let percent = Int(((transform.stretch - 1) * 100).rounded())
            add(
                .planPointsDisagree, .floorPlan(plan.id),
                transform.isMirrored
                    ? "The points of the plan \(plan.id) show it in a mirror: one of them is wrong."
                    : "The points of the plan \(plan.id) stretch it by \(percent) % one way: one of "
                        + "them is wrong. A fourth would tell which.")
        }
    }
}

/// Whether a name has the form of one of the IANA zones: `Europe/London`, `Etc/UTC`, or UTC.
public func looksLikeTimeZone(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    if name == "UTC" || name == "GMT" { return true }
    return (2...3).contains(parts.count)
        && parts.allSatisfy { part in
            part.first?.isUppercase == true
                && part.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "_-+".contains($0))
                }
        }
}

import Events
import Geometry

/// Finds common mistakes: doors drawn away from their rooms, facts that do not fit their
/// connections, hours that can't be parsed, plans whose points disagree.
struct DetailReview {
    /// Metres. A stop that is farther from the room that it names, or the room itself, is drawn
    /// wrongly. Thick walls and imprecise drawing stay below it.
    private static let stopMetres = 2.0
    /// A plan that its points stretch in one direction by more than this has a wrong point.
    /// Shrunken paper and imprecise clicks stretch it less.
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
            findings.append(
                ReviewFinding(
                    .timeZoneUnknown, .error, [.building(building.id)],
                    "\(building.timeZone) is not a time zone; write one such as "
                        + "Europe/London. Until then \(building.name) uses UTC."))
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
        for fact in connection.unfittingFacts {
            add(
                .factUnfitting, .connection(connection.id),
                "The \(connection.kind.rawValue) \(connection.id) states a fact that does not fit: "
                    + "\(connection.misfit(fact)).")
        }
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
            "The hours \"\(hours)\" of \(name) can't be read and count as always open. "
                + "Write them like Mo-Fr 09:00-17:00.")
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
                "The points of the plan \(plan.id) disagree by "
                    + "\(Int(transform.residualMetres.rounded())) m: one of them is wrong.")
        } else if transform.isMirrored || transform.stretch > Self.mostStretch {
            let percent = Int(((transform.stretch - 1) * 100).rounded())
            add(
                .planPointsDisagree, .floorPlan(plan.id),
                transform.isMirrored
                    ? "The points of the plan \(plan.id) mirror it: one of them is wrong."
                    : "The points of the plan \(plan.id) stretch it by \(percent) % in one "
                        + "direction: one of them is wrong. Add a fourth to find out which.")
        }
    }
}

/// Whether a name has the form of an IANA time zone: `Europe/London`, `Etc/UTC`, or UTC.
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

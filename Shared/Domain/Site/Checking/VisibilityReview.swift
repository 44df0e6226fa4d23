import Events

/// Finds what strangers miss, although it is for them. These are rooms that they only reach
/// through others, and plans of floors with a room that is not for them.
struct VisibilityReview {
    let findings: [ReviewFinding]

    /// - Parameter reach: the findings about ways in the whole site.
    init(_ site: SiteIndex, reach: [ReviewFinding]) {
        let document = site.document
        guard document.isFiltered(for: .stranger),
            let seen = try? SiteIndex(document.seen(by: .stranger))
        else {
            findings = []
            return
        }
        findings = Self.rooms(seen, reach) + Self.plans(document, seen)
    }

    private static func rooms(
        _ seen: SiteIndex, _ reach: [ReviewFinding]
    ) -> [ReviewFinding] {
        let known = Set(reach.flatMap(\.subjects))
        // Without any way there is nothing to say about one that is missing.
        guard !seen.document.connections.isEmpty else { return [] }
        return ReachReview(seen).findings.compactMap { finding in
            guard [.roomCutOff, .roomWithoutOpening].contains(finding.code),
                case .room(let id)? = finding.subjects.first, !known.contains(.room(id)),
                let room = seen.room(id)
            else { return nil }
            return ReviewFinding(
                .onlyThroughStaff, .warning, [.room(id)],
                "\(ReachReview.name(room)) is for everybody, but the only ways there lead through "
                    + "rooms that are not.")
        }
    }

    private static func plans(_ document: SiteDocument, _ seen: SiteIndex) -> [ReviewFinding] {
        let shown = Set(seen.document.floorPlans.map(\.id))
        return document.floorPlans.compactMap { plan in
            guard !shown.contains(plan.id), seen.floorIndex(plan.floor) != nil else { return nil }
            return ReviewFinding(
                .planNotShown, .remark, [.floorPlan(plan.id)],
                "Strangers don't see the plan \(plan.id): a room of its floor is not for them, and "
                    + "a picture can't be cut.")
        }
    }
}

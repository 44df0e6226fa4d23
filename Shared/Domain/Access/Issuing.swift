public import Events

/// The tokens that may be issued, and for how long. An issuer hands on at most its own rights, and
/// for no longer.
public enum Issuing {
    public enum Refusal: Error, Hashable, Sendable {
        /// A device's and a scanner's token names its site and its device.
        case deviceMissing
        /// A token of buildings, or of an administrator of a site, names its site.
        case siteMissing
        /// The issuer's own grants don't reach so far.
        case beyondIssuer
        case alreadyExpired
        /// A token of this role holds at most so many days.
        case tooLong(days: Int)
        /// The issuer's own token or session ends before.
        case afterIssuer
    }

    /// How long tokens of a role hold.
    public struct Lifetime: Hashable, Sendable {
        /// Where the order says nothing.
        public var usualDays: Int
        public var mostDays: Int
    }

    /// Things that hang on walls are visited once in years; who may do much shows more often that
    /// it is still wanted.
    public static func lifetime(of role: Role) -> Lifetime {
        switch role {
        case .device, .scanner, .gateway: Lifetime(usualDays: 730, mostDays: 3_650)
        case .anonymous, .locateOnly, .visitor, .contributor, .aggregate:
            Lifetime(usualDays: 365, mostDays: 730)
        case .analyst, .surveyor, .tester, .administratorOfSite, .administrator, .service:
            Lifetime(usualDays: 90, mostDays: 366)
        }
    }

    /// - Parameters:
    ///   - issuer: the issuer's grants; nil where it is ordered on the machine itself.
    public static func check(
        _ role: TokenRole, site: SiteID?, buildings: [BuildingID], device: DeviceID?,
        issuer: [Grant]?
    ) throws(Refusal) {
        if role == .device || role == .scanner, device == nil || site == nil {
            throw .deviceMissing
        }
        if site == nil, !buildings.isEmpty || role == .administratorOfSite { throw .siteMissing }
        guard let issuer else { return }
        let wanted = Grant(
            Role(role, isBoundToSite: site != nil), site: site,
            buildings: buildings.isEmpty ? nil : Set(buildings))
        let isWithin = issuer.contains { grant in
            AccessTable.editors.contains(grant.role) && grant.spans(wanted)
        }
        guard isWithin else { throw .beyondIssuer }
    }

    /// When the token ends.
    /// - Parameters:
    ///   - asked: what the order says; nil for what is usual.
    ///   - issuerEnd: when the issuer's own token or session ends.
    public static func expiry(
        of role: Role, asked: Timestamp?, issuerEnd: Timestamp?, at moment: Timestamp
    ) throws(Refusal) -> Timestamp {
        let lifetime = lifetime(of: role)
        guard let asked else {
            let usual = moment.advanced(byDays: lifetime.usualDays)
            return issuerEnd.map { min($0, usual) } ?? usual
        }
        guard asked > moment else { throw .alreadyExpired }
        // A day more, so that a year counted by the calendar is a year.
        guard asked <= moment.advanced(byDays: lifetime.mostDays + 1) else {
            throw .tooLong(days: lifetime.mostDays)
        }
        if let issuerEnd, asked > issuerEnd { throw .afterIssuer }
        return asked
    }
}

extension Timestamp {
    fileprivate func advanced(byDays days: Int) -> Timestamp {
        advanced(byMicroseconds: Int64(days) * 86_400_000_000)
    }
}

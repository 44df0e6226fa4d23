public import Events

/// The rules for issuing tokens. An issuer grants at most its own rights, and for no longer than it
/// has them.
public enum Issuing {
    public enum Refusal: Error, Hashable, Sendable {
        /// A token for a device or a scanner must name its site and its device.
        case deviceMissing
        /// A token for some buildings, or for a site's administrator, must name its site.
        case siteMissing
        /// The issuer's own grants do not include this role at this site.
        case beyondIssuer
        case alreadyExpired
        /// A token of this role is valid for at most `days` days.
        case tooLong(days: Int)
        /// The issuer's own token or session ends earlier.
        case afterIssuer
    }

    /// How long a token of a role is valid.
    public struct Lifetime: Hashable, Sendable {
        /// For a request that states no end.
        public var usualDays: Int
        public var mostDays: Int
    }

    /// Devices on walls are visited once in years, so their tokens last long. A token that permits
    /// much is renewed more often, so that one that nobody needs any longer ends soon.
    public static func lifetime(of role: Role) -> Lifetime {
        switch role {
        case .device, .scanner, .gateway: Lifetime(usualDays: 730, mostDays: 3_650)
        case .anonymous, .locateOnly, .visitor, .contributor, .aggregate:
            Lifetime(usualDays: 365, mostDays: 730)
        case .analyst, .surveyor, .tester, .administratorOfSite, .administrator, .service:
            Lifetime(usualDays: 90, mostDays: 366)
        }
    }

    /// Checks whether the issuer may issue the token.
    ///
    /// - Parameters:
    ///   - issuer: the issuer's grants; nil for a token that is ordered on the server's own command
    ///     line.
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
        guard permits(wanted, by: issuer) else { throw .beyondIssuer }
    }

    /// Whether somebody with these grants may issue a token that carries the wanted one.
    public static func permits(_ wanted: Grant, by issuer: [Grant]) -> Bool {
        issuer.contains { AccessTable.editors.contains($0.role) && $0.spans(wanted) }
    }

    /// The time at which the token ends.
    ///
    /// - Parameters:
    ///   - asked: the end that the request states; nil for the role's usual lifetime.
    ///   - issuerEnd: the time at which the issuer's own token or session ends.
    public static func expiry(
        of role: Role, asked: Timestamp?, issuerEnd: Timestamp?, at moment: Timestamp
    ) throws(Refusal) -> Timestamp {
        let lifetime = lifetime(of: role)
        guard let asked else {
            let usual = moment.advanced(byDays: lifetime.usualDays)
            return issuerEnd.map { min($0, usual) } ?? usual
        }
        guard asked > moment else { throw .alreadyExpired }
        // One day more is allowed, since calendar years may have a leap day.
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

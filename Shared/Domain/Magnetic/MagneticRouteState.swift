public import Events

/// The reason why a command on a magnetic route was refused.
public enum MagneticRouteRefusal: Error, Hashable, Sendable {
    /// The route was never recorded, or it was deleted.
    case unknown
    case unusable(MagneticFault)
}

/// The state of one magnetic route. Commands are decided on it, and events change it.
public struct MagneticRouteState: Hashable, Sendable {
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// The route waits for a validation walk along it.
        case recorded
        case valid
        case deleted
    }

    /// A valid route expires so many days after its newest validation, because furniture and steel
    /// move. Another walk along it renews it.
    static let validDays = 180

    public let site: SiteID
    public let route: MagneticRouteID
    /// The version of the newest event; 0 before the first.
    public private(set) var version = 0
    /// The newest recording; it is kept when the route is deleted.
    public private(set) var recording: MagneticRouteRecorded?
    /// The newest validation of that recording.
    public private(set) var validation: MagneticRouteValidated?
    private var isDeleted = false

    public init(site: SiteID, route: MagneticRouteID) {
        self.site = site
        self.route = route
    }

    /// Nil before the first recording.
    public var stage: Stage? {
        guard recording != nil else { return nil }
        if isDeleted { return .deleted }
        return validation?.isReliable == true ? .valid : .recorded
    }

    /// The time at which a valid route expires; nil for one that is not valid.
    public var expiresAt: Timestamp? {
        guard stage == .valid, let validation else { return nil }
        return Self.expiry(validatedAt: validation.validatedAt)
    }

    public static func expiry(validatedAt: Timestamp) -> Timestamp {
        validatedAt.advanced(byMicroseconds: Int64(validDays) * 86_400_000_000)
    }

    /// A route that was validated then or earlier has expired.
    public static func oldestValidation(at moment: Timestamp) -> Timestamp {
        moment.advanced(byMicroseconds: -Int64(validDays) * 86_400_000_000)
    }

    /// The route for matching walks; nil unless it is valid.
    public var matchable: MatchableRoute? {
        guard let recording else { return nil }
        return (try? Self.profile(recording.polyline, recording.walk)).flatMap(matchable)
    }

    /// The same with the profile of the recording.
    func matchable(_ profile: MagneticProfile) -> MatchableRoute? {
        guard stage == .valid, let recording, let validation else { return nil }
        return MatchableRoute(
            id: route, floor: recording.floor, profile: profile,
            errorMetres: validation.meanMetres, reliability: 1 - validation.elsewhere,
            expiresAt: expiresAt)
    }

    /// Records the route, or records it again; nil when it is already recorded identically.
    ///
    /// - Parameter latitude: the site's latitude in degrees, which shows the sign that gravity must
    ///   have; nil leaves it unchecked.
    public func record(
        floor: FloorID, polyline: [MagneticRoutePoint], walk: MagneticWalk, at moment: Timestamp,
        latitude: Double? = nil
    ) throws(MagneticRouteRefusal) -> MagneticRouteRecorded? {
        do throws(MagneticFault) {
            let profile = try Self.profile(polyline, walk)
            if let latitude { try GravitySign.check(profile, latitude: latitude) }
        } catch {
            throw .unusable(error)
        }
        if !isDeleted, let recording, recording.floor == floor, recording.polyline == polyline,
            recording.walk == walk
        {
            return nil
        }
        return MagneticRouteRecorded(
            site: site, route: route, version: version + 1, floor: floor, polyline: polyline,
            walk: walk, recordedAt: moment)
    }

    /// Measures the route by a second walk along it; nil when its newest validation is by the same
    /// walk.
    ///
    /// A walk counts once: with its gravity, steps or passages corrected it is measured again, but
    /// adds nothing to the doubt.
    public func validate(
        by walk: MagneticWalk, at moment: Timestamp
    ) throws(MagneticRouteRefusal) -> MagneticRouteValidated? {
        guard !isDeleted, let recording else { throw .unknown }
        guard !recording.walk.hasField(of: walk) else { throw .unusable(.recordingAgain) }
        let isRepeated = validation?.walk.hasField(of: walk) ?? false
        if isRepeated, validation?.walk.hasRest(of: walk) ?? false { return nil }
        let measured: MagneticValidation
        do throws(MagneticFault) {
            let profile = try Self.profile(recording.polyline, recording.walk)
            measured = try MagneticValidation(
                of: profile, by: walk, doubt: validation?.doubt ?? 0, isRepeated: isRepeated)
        } catch {
            throw .unusable(error)
        }
        return MagneticRouteValidated(
            site: site, route: route, version: version + 1, recording: recording.version,
            walk: walk, direction: measured.direction, meanMetres: measured.meanMetres,
            percentile95Metres: measured.percentile95Metres, elsewhere: measured.elsewhere,
            isReliable: measured.isReliable, validatedAt: moment, recorded: recording,
            doubt: measured.doubt)
    }

    public func delete(
        at moment: Timestamp
    ) throws(MagneticRouteRefusal) -> MagneticRouteDeleted {
        guard !isDeleted, recording != nil else { throw .unknown }
        return MagneticRouteDeleted(
            site: site, route: route, version: version + 1, deletedAt: moment)
    }

    /// Applies an event. One that was applied before changes nothing, because outboxes append at
    /// least once.
    public mutating func evolve(_ event: MagneticRouteRecorded) {
        guard advance(to: event.version) else { return }
        recording = event
        validation = nil
        isDeleted = false
    }

    public mutating func evolve(_ event: MagneticRouteValidated) {
        guard advance(to: event.version) else { return }
        if let recorded = event.recorded, recorded.version != recording?.version {
            recording = recorded
            isDeleted = false
        }
        guard event.recording == recording?.version else { return }
        validation = event
        validation?.recorded = nil
    }

    public mutating func evolve(_ event: MagneticRouteDeleted) {
        guard advance(to: event.version) else { return }
        isDeleted = true
    }

    private mutating func advance(to version: Int) -> Bool {
        guard version > self.version else { return false }
        self.version = version
        return true
    }

    static func profile(
        _ polyline: [MagneticRoutePoint], _ walk: MagneticWalk
    ) throws(MagneticFault) -> MagneticProfile {
        let path = try MagneticPath(polyline)
        return MagneticProfile(try CheckedWalk(walk, along: path), along: path)
    }
}

extension MagneticWalk {
    /// Whether another walk has the same field after the same times since its first sample.
    fileprivate func hasField(of other: MagneticWalk) -> Bool {
        guard samples.count == other.samples.count, let later = later(other) else { return false }
        return zip(samples, other.samples).allSatisfy {
            $1.atMilliseconds &- $0.atMilliseconds == later && $0.field.isAlike($1.field)
        }
    }

    /// Whether another walk with the same field also has the same gravity, steps and passages.
    fileprivate func hasRest(of other: MagneticWalk) -> Bool {
        guard let later = later(other) else { return false }
        func areAlike(_ times: [Int], _ others: [Int]) -> Bool {
            times.count == others.count && zip(times, others).allSatisfy { $1 &- $0 == later }
        }
        return areAlike(stepsAtMilliseconds, other.stepsAtMilliseconds)
            && areAlike(passedAtMilliseconds, other.passedAtMilliseconds)
            && zip(samples, other.samples).allSatisfy {
                guard let one = $0.gravity, let other = $1.gravity else {
                    return $0.gravity == nil && $1.gravity == nil
                }
                return one.isAlike(other)
            }
    }

    /// The milliseconds by which the other walk's clock is ahead; nil if either has no samples.
    private func later(_ other: MagneticWalk) -> Int? {
        guard let first = samples.first, let otherFirst = other.samples.first else { return nil }
        return otherFirst.atMilliseconds &- first.atMilliseconds
    }
}

extension MagneticField {
    /// Whether both are the same. Stored values are rounded, so they may differ by a thousandth.
    fileprivate func isAlike(_ other: MagneticField) -> Bool {
        abs(x - other.x) <= 0.001 && abs(y - other.y) <= 0.001 && abs(z - other.z) <= 0.001
    }
}

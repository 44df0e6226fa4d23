import Events

/// The measures of a position as whole numbers, as `locator.position_rows` has them.
///
/// The log writes metres with three decimals, degrees with nine and square metres with six. Whole
/// numbers of these units hold them without loss. Positions with other numbers go to the wide
/// table.
struct NarrowPosition: Sendable {
    private static let unitsOfMetre = 1e3
    private static let unitsOfDegree = 1e9
    private static let unitsOfSquareMetre = 1e6
    /// Numbers above this are not tried: a `Double` would not hold their units exactly.
    private static let most = 9e15

    /// A number of degrees: whole ones, and billionths from 0 to 999,999,999.
    struct Degrees: Hashable, Sendable {
        var whole: Int16 = 0
        var billionths: Int32?

        init() {}

        init?(_ value: Double?) {
            guard let value else { return }
            guard let units = NarrowPosition.units(value, NarrowPosition.unitsOfDegree) else {
                return nil
            }
            let one = Int64(NarrowPosition.unitsOfDegree)
            let down = units >= 0 ? units / one : (units - one + 1) / one
            guard let whole = Int16(exactly: down) else { return nil }
            self.whole = whole
            billionths = Int32(units - down * one)
        }

        static func value(whole: Int64, billionths: Int32?) -> Double? {
            billionths.map {
                Double(whole * Int64(NarrowPosition.unitsOfDegree) + Int64($0))
                    / NarrowPosition.unitsOfDegree
            }
        }
    }

    var latitude: Degrees
    var longitude: Degrees
    var x: Int32?
    var y: Int32?
    /// Three, or none.
    var covariance: [Int32]
    var radius68: Int32?
    var radius95: Int32?

    /// Nil where a number would change.
    init?(_ position: PositionEstimated) {
        guard let latitude = Degrees(position.latitude),
            let longitude = Degrees(position.longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        covariance = []
        if let entries = position.covariance {
            guard entries.count == 3 else { return nil }
            covariance.reserveCapacity(3)
            for entry in entries {
                guard let units = Self.units(entry, Self.unitsOfSquareMetre),
                    let small = Int32(exactly: units)
                else { return nil }
                covariance.append(small)
            }
        }
        do throws(Odd) {
            x = try Self.millimetres(position.x)
            y = try Self.millimetres(position.y)
            radius68 = try Self.millimetres(position.radius68)
            radius95 = try Self.millimetres(position.radius95)
        } catch {
            return nil
        }
    }

    static func metres(_ millimetres: Int32?) -> Double? {
        millimetres.map { Double($0) / unitsOfMetre }
    }

    static func squareMetres(_ units: Int32) -> Double { Double(units) / unitsOfSquareMetre }

    private struct Odd: Error {}

    private static func millimetres(_ value: Double?) throws(Odd) -> Int32? {
        guard let value else { return nil }
        guard let units = units(value, unitsOfMetre), let small = Int32(exactly: units) else {
            throw Odd()
        }
        return small
    }

    /// The number of units that gives exactly this value back.
    private static func units(_ value: Double, _ unitsOfOne: Double) -> Int64? {
        let scaled = (value * unitsOfOne).rounded()
        guard scaled.magnitude < most else { return nil }
        // The sign of zero counts too.
        guard (scaled / unitsOfOne).bitPattern == value.bitPattern else { return nil }
        return Int64(scaled)
    }
}

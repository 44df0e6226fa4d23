/// The unit of a drawing's coordinates, by the values of `$INSUNITS` (AutoCAD's DXF reference).
public enum DrawingUnit: String, Hashable, Sendable, CaseIterable {
    case inches, feet, millimetres, centimetres, decimetres, metres, yards

    public var metres: Double {
        switch self {
        case .inches: 0.025_4
        case .feet: 0.304_8
        case .millimetres: 0.001
        case .centimetres: 0.01
        case .decimetres: 0.1
        case .metres: 1
        case .yards: 0.914_4
        }
    }

    /// Nil for units that no building is drawn in, and for 0, which states none.
    init?(code: Int) {
        switch code {
        case 1: self = .inches
        case 2, 21: self = .feet
        case 4: self = .millimetres
        case 5: self = .centimetres
        case 6: self = .metres
        case 10: self = .yards
        case 14: self = .decimetres
        default: return nil
        }
    }
}

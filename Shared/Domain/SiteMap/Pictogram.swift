import VectorGraphics

/// Signs that need no words, each drawn in a square of 24 by 24.
enum Pictogram: CaseIterable {
    case wheelchair, lift, platformLift, stairs, escalator, ramp, toilet, food, information

    /// The mark by which the key finds out that the sign is on the map.
    var mark: String { "\(self)" }

    /// - Parameter size: the side of the square in pixels; its middle is at the point.
    func draw(x: Double, y: Double, size: Double, in drawing: inout Drawing) {
        drawing.note(mark)
        let scale = size / 24
        drawing.open(
            "g",
            "transform=\"translate(\(short(x - size / 2)) \(short(y - size / 2))) "
                + "scale(\(decimalScale(scale)))\"")
        drawing.rectangle(
            0.5, 0.5, 23, 23,
            "rx=\"\(self == .wheelchair ? 11.5 : 4)\" fill=\"\(ground)\" stroke=\"#ffffff\"")
        for stroke in strokes {
            drawing.path(
                stroke,
                "fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2\" stroke-linecap=\"round\" "
                    + "stroke-linejoin=\"round\"")
        }
        for shape in shapes { drawing.path(shape, "fill=\"#ffffff\"") }
        if let letters {
            drawing.text(
                letters, 12, 16, .middle, size: 11, "fill=\"#ffffff\" font-weight=\"700\"")
        }
        drawing.close("g")
    }

    private func decimalScale(_ value: Double) -> String { decimal(value, places: 3) }

    /// Blue for step-free ways, as on public signs; dark for the rest.
    private var ground: String {
        switch self {
        case .wheelchair, .lift, .platformLift, .ramp: "#1f5fa8"
        case .toilet, .information: "#2d6f73"
        case .stairs, .escalator: "#6b5a36"
        case .food: "#9a5b1f"
        }
    }

    private var strokes: [String] {
        switch self {
        case .wheelchair, .platformLift:
            ["M11,8.2V13.4H15.6L17.6,18", "M9.2,11A4.7,4.7,0,1,0,14.6,16.8"]
        case .lift: ["M12,5V19"]
        case .stairs: ["M4.5,18.5H9V14.5H13V10.5H17V6.5H20"]
        case .escalator: ["M4,18H8L16,8H20", "M11,8.6V5.8"]
        case .ramp: ["M4.5,17.5H19.5L19.5,8.5L4.5,17.5"]
        case .food:
            ["M6,8H15V13A4,4,0,0,1,11,17H10A4,4,0,0,1,6,13Z", "M15,9.5H17A2,2,0,0,1,17,13.5H15"]
        case .toilet: []
        case .information: ["M12,11V17"]
        }
    }

    private var shapes: [String] {
        switch self {
        case .wheelchair, .platformLift: ["M11,3.6A1.9,1.9,0,1,1,10.9,3.6Z"]
        case .lift:
            [
                "M7.5,10L4.5,10L6,6Z M4.5,14L7.5,14L6,18Z",
                "M16.5,10L19.5,10L18,6Z M19.5,14L16.5,14L18,18Z",
            ]
        case .information: ["M12,5.6A1.6,1.6,0,1,1,11.9,5.6Z"]
        default: []
        }
    }

    private var letters: String? { self == .toilet ? "WC" : nil }
}

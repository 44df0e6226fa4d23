import Events
import Geometry

/// Checks of texts, numbers, shapes and media.
extension SiteValidation {
    mutating func checkText(
        _ text: String?, _ name: @autoclosure () -> String, limit: Int = SiteLimits.textBytes
    ) {
        guard let text else { return }
        if text.utf8.count > limit {
            add(.textTooLong, "\(name()) has \(text.utf8.count) bytes, at most \(limit)")
        }
        if hasControlCharacter(text) {
            add(.controlCharacter, "\(name()) has a control character")
        }
    }

    /// Text that may have line breaks and tabs.
    mutating func checkLongText(_ text: String) {
        let line = text.filter { $0 != "\n" && $0 != "\r\n" && $0 != "\t" }
        checkText(line, "text", limit: SiteLimits.contentBytes)
    }

    mutating func checkCount(_ count: Int, _ name: String) {
        if count > SiteLimits.placesPerThing {
            add(.tooMany, "\(count) \(name), at most \(SiteLimits.placesPerThing)")
        }
    }

    /// - Parameter words: the range as text for people; nil for its two bounds.
    mutating func checkFact(
        _ value: Double?, _ name: String, _ range: ClosedRange<Double>, _ words: String? = nil
    ) {
        guard let value, !range.contains(value) else { return }
        let words = words ?? "\(range.lowerBound) to \(range.upperBound)"
        add(.factOutOfRange, "\(name) \(value), within \(words)")
    }

    func isInRange(_ point: Point) -> Bool {
        abs(point.x) <= SiteLimits.coordinateMetres && abs(point.y) <= SiteLimits.coordinateMetres
    }

    mutating func checkPoint(_ point: Point) {
        if !isInRange(point) { add(.coordinateOutOfRange, "x \(point.x), y \(point.y)") }
    }

    mutating func checkOutline(_ outline: Ring) {
        // An outline may be empty, if the shape is unknown.
        guard !outline.isEmpty else { return }
        let count = outline.corners.count
        guard count <= SiteLimits.cornersPerRoom else {
            add(.tooManyCorners, "\(count) corners, at most \(SiteLimits.cornersPerRoom)")
            return
        }
        if let corner = outline.corners.first(where: { !isInRange($0) }) {
            add(.coordinateOutOfRange, "corner \(corner)")
            return
        }
        guard let polygon = outline.polygon else {
            add(.tooFewCorners, "an outline has at least three corners")
            return
        }
        if !polygon.isSimple {
            add(.outlineCrossesItself, "the outline crosses or touches itself")
        }
    }

    mutating func checkMedia(_ media: MediaReference) {
        let digits = media.hash.utf8
        let isHash =
            digits.count == 64
            && digits.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        if !isHash { add(.malformedHash, "a hash is 64 hexadecimal digits") }
        checkText(media.type, "media type")
        if media.type.split(separator: "/", omittingEmptySubsequences: false).count != 2 {
            add(.malformedMediaType, "a media type is written like image/png")
        }
        if !(1...SiteLimits.mediaBytes).contains(media.bytes) {
            add(.factOutOfRange, "\(media.bytes) bytes, 1 to \(SiteLimits.mediaBytes)")
        }
    }
}

/// A text from outside, shortened and escaped for an error text.
func shown(_ text: String) -> String {
    // Nearly all texts are ids, which need no change.
    if isWellFormedIdentifier(text) { return text }
    return String(
        String.UnicodeScalarView(
            text.unicodeScalars.prefix(64).map {
                $0.properties.generalCategory == .control ? "?" : $0
            }))
}

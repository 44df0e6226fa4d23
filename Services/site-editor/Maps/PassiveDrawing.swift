import Media
import XML

/// Checks that an SVG drawing has no active parts. An XML reader reads it once, and `DrawingCheck`
/// judges each part.
enum PassiveDrawing {
    /// The first part that is not allowed on a page; nil for a drawing without active parts.
    static func foreignPart(of bytes: [UInt8]) -> String? {
        var check = DrawingCheck()
        var part: String?
        do throws(XMLFault) {
            try XMLReader.read(bytes) { event in
                part = Self.foreignPart(event, &check)
                return part == nil
            }
        } catch {
            return "text that is not XML (\(error))"
        }
        return part
    }

    private static func foreignPart(_ event: XMLEvent, _ check: inout DrawingCheck) -> String? {
        do throws(DrawingCheck.Refusal) {
            switch event {
            case .begin(let name, let attributes):
                try check.begin(
                    space: name.space, name: name.local, prefix: name.prefix,
                    attributes: attributes.map {
                        .init(space: $0.name.space, name: $0.name.local, value: $0.value)
                    })
            case .text(let text): try check.text(text)
            case .comment(let comment): try check.comment(comment)
            case .section(let isOpen): check.section(isOpen: isOpen)
            case .end: try check.end()
            case .instruction(let target): return "an instruction to \(target.prefix(40))"
            case .documentType(_, let system, let hasSubset):
                try check.documentType(system: system, hasSubset: hasSubset)
            case .encoding(let name): try check.encoding(name)
            }
        } catch {
            return error.part
        }
        return nil
    }
}

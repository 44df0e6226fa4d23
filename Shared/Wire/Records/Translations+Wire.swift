internal import Events
internal import JSON
import Site

extension FieldReader {
    /// A member such as `names`: `{"cy": "Llyfrgell", "de": "Bibliothek"}`.
    func translations(
        _ name: StaticString = "names", maximumBytes: Int = 4_096
    ) throws(WireFault) -> Translations {
        guard let value = optional(name) else { return Translations() }
        guard let object = value.json.object else {
            throw value.fault(.fieldWrongType, "an object of texts by language is expected")
        }
        var texts: [String: String] = [:]
        for member in object {
            do throws(WireFault) {
                texts[member.name.string] = try WireValue(member.value).text(
                    maximumBytes: maximumBytes)
            } catch {
                throw error.inside("\(name)")
            }
        }
        return Translations(texts)
    }
}

extension JSONWriter {
    /// A member such as `names`, by language, where there are any.
    mutating func translations(_ names: Translations, _ member: StaticString = "names") {
        guard !names.isEmpty else { return }
        name(member)
        beginObject()
        for (language, text) in names.byLanguage.sorted(by: { $0.key < $1.key }) {
            name(language)
            string(text)
        }
        endObject()
    }
}

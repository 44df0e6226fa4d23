internal import Events
internal import JSON

extension FieldReader {
    /// The member `names`: `{"cy": "Llyfrgell", "de": "Bibliothek"}`.
    func translations() throws(WireFault) -> Translations {
        guard let value = optional("names") else { return Translations() }
        guard let object = value.json.object else {
            throw value.fault(.fieldWrongType, "an object of texts by language is expected")
        }
        var texts: [String: String] = [:]
        for member in object {
            do throws(WireFault) {
                texts[member.name.string] = try WireValue(member.value).text()
            } catch {
                throw error.inside("names")
            }
        }
        return Translations(texts)
    }
}

extension JSONWriter {
    /// The member `names`, by language, where there are any.
    mutating func translations(_ names: Translations) {
        guard !names.isEmpty else { return }
        name("names")
        beginObject()
        for (language, text) in names.byLanguage.sorted(by: { $0.key < $1.key }) {
            name(language)
            string(text)
        }
        endObject()
    }
}

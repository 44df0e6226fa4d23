import Events
import Site

extension SampleCampus {
    /// A department for each half of a building, on its first floor.
    var departments: [DirectoryEntry] {
        (0..<min(2 * buildings, Self.subjects.count)).map { number in
            let (english, welsh) = Self.subjects[number]
            let first = number % 2 == 0 ? 1 : rooms / 2 + 1
            return DirectoryEntry(
                id: DirectoryID("department-\(number)"), kind: "department",
                name: "Department of \(english)", names: Translations(["cy": "Adran \(welsh)"]),
                places: (first..<first + 3).map { .room(room(number / 2, floors > 1 ? 1 : 0, $0)) },
                openingHours: "Mo-Fr 09:00-17:00",
                website: "https://campus.example/\(number)",
                telephone: "+44 20 7946 0\(100 + number)")
        }
    }

    /// A reception in each building, and a café in every fourth.
    var services: [DirectoryEntry] {
        (0..<buildings).flatMap { building in
            let (english, welsh) = Self.buildingName(building)
            let reception = DirectoryEntry(
                id: DirectoryID("reception-\(building)"), kind: "service",
                name: "Reception of \(english)",
                names: Translations(["cy": "Derbynfa \(welsh)"]),
                places: [.room(room(building, 0, 1))], openingHours: "Mo-Sa 08:00-18:00")
            let coffee = DirectoryEntry(
                id: DirectoryID("cafe-\(building)"), kind: "cafe", name: "Café of \(english)",
                names: Translations(["cy": "Caffi \(welsh)"]),
                places: [.room(room(building, 0, 2))], openingHours: "Mo-Fr 08:00-16:00")
            return building % 4 == 0 ? [reception, coffee] : [reception]
        }
    }

    private static let subjects: [(english: String, welsh: String)] = [
        ("Physics", "Ffiseg"), ("Mathematics", "Mathemateg"), ("Chemistry", "Cemeg"),
        ("Biology", "Bioleg"), ("History", "Hanes"), ("Law", "y Gyfraith"),
        ("Music", "Cerddoriaeth"), ("Geography", "Daearyddiaeth"), ("Philosophy", "Athroniaeth"),
        ("Computing", "Cyfrifiadura"), ("Economics", "Economeg"), ("Education", "Addysg"),
        ("Art", "Celf"), ("Engineering", "Peirianneg"), ("Medicine", "Meddygaeth"),
        ("Nursing", "Nyrsio"), ("Sociology", "Cymdeithaseg"), ("Psychology", "Seicoleg"),
        ("Politics", "Gwleidyddiaeth"), ("Linguistics", "Ieithyddiaeth"), ("English", "Saesneg"),
        ("Welsh", "Cymraeg"), ("German", "Almaeneg"), ("French", "Ffrangeg"),
        ("Spanish", "Sbaeneg"), ("Astronomy", "Seryddiaeth"), ("Statistics", "Ystadegaeth"),
        ("Geology", "Daeareg"), ("Archaeology", "Archaeoleg"), ("Architecture", "Pensaernïaeth"),
    ]
}

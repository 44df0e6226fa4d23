import Backups
import LogViews
import Postgres
import Testing

@testable import Commands

@Suite("Backups hold") struct BackupWorkTests {
    @Test("every schema of a service that is no view of the log")
    func schemas() {
        let all = DatabaseRoles.schemas.values.flatMap(\.self)
        let shadows = Set(all.map(ViewRebuild.shadow))
        let kept = all.filter { !shadows.contains($0) && !all.contains(ViewRebuild.shadow(of: $0)) }
        let stores = BackupWork.stores
        #expect(Set(stores.flatMap { [$0.migrator.schema] + $0.further }) == Set(kept))
    }
}

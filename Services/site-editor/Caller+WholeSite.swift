import Access
import Events
import ServiceHost

extension Caller {
    /// Whether the caller has one of these roles in all buildings of the site.
    ///
    /// A route whose row is of the scope `building` also lets in who has the role in some of them.
    func has(_ roles: RoleSet, inAllOf site: SiteID) -> Bool {
        grants.contains { roles.contains($0.role) && $0.buildings == nil && $0.reaches(site) }
    }
}

package struct DeletionEffect { package var classes: Set<String> = []; package var collections: Set<String> = [] }
extension Schema { package func effectOfDeleting(_ className: String) -> DeletionEffect { DeletionEffect() } }

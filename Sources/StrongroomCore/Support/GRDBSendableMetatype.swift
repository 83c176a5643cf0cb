/// The protocol of types whose metatypes may cross threads, under the name that GRDB gives it.
public typealias GRDBSendableMetatype = SendableMetatype

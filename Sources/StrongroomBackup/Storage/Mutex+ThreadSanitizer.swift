#if THREAD_SANITIZER
import Strongroom

typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

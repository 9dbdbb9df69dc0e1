using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "kv", worker = .kv),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-06-01",
  compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [
    (name = "SELF", service = "main"),
    (name = "GREETING", text = "hello"),
    (name = "LIMITER", durableObjectNamespace = "Limiter"),
    (name = "SESSIONS", kvNamespace = "kv"),
  ],
  durableObjectNamespaces = [(className = "Limiter", uniqueKey = "limiter")],
  durableObjectStorage = (inMemory = void),
);

const kv :Workerd.Worker = (
  modules = [(name = "kv", esModule = embed "kv.js")],
  compatibilityDate = "2025-06-01",
);

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "objects", disk = (writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [
    (name = "TOPICS", durableObjectNamespace = "Topic"),
    (name = "SMALL", durableObjectNamespace = "SmallTopic"),
  ],
  durableObjectNamespaces = [
    (className = "Topic", uniqueKey = "topic", enableSql = true),
    (className = "SmallTopic", uniqueKey = "small-topic", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
);

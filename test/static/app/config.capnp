using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "assets", worker = .assets)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-06-01",
  bindings = [(name = "ASSETS", service = "assets")],
);

const assets :Workerd.Worker = (
  modules = [(name = "assets", esModule = embed "assets.js")],
  compatibilityDate = "2025-06-01",
);

/** A key and a certificate for `localhost` and `127.0.0.1`, signed by themselves, for tests and nothing else. */
export const key: string = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUkYemhKmNeqQ7FAW
ZWnBMGmoPrtAxItm/3lHaAJRoyqhRANCAARq1VcuH1xijMK0mVhStfPzlAcafQU2
S+8kK0wzAQwFoegjBiUdPyC/fnGPtE+Je/dusbw5FMCb16w8ZzLCYKY8
-----END PRIVATE KEY-----
`

export const cert: string = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUE5X5qBz46fXeyRd3lQgsEL9X9rMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzNTIyNloYDzIxMjYxMDI4
MDM1MjI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARq1VcuH1xijMK0mVhStfPzlAcafQU2S+8kK0wzAQwFoegjBiUdPyC/
fnGPtE+Je/dusbw5FMCb16w8ZzLCYKY8o28wbTAdBgNVHQ4EFgQUWylswnGkyG8D
vHeiT259enCSa0kwHwYDVR0jBBgwFoAUWylswnGkyG8DvHeiT259enCSa0kwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMexRfyw91bSurdqIGJy3e0XJaZn1pDDNSPkntgzyIXYCIQCq
2wO5pCpZOra0KuKZV5zouDpWVr3v+eQWdLQcM0cTWg==
-----END CERTIFICATE-----
`

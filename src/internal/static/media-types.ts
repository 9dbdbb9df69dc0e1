/** Media types by the extensions of their files, as in RFCs and the IANA registry. Text on the web is UTF-8. */
const TYPES = `
text/html html htm|text/css css|text/javascript js mjs cjs|text/plain txt text log conf ini|text/markdown md markdown
text/csv csv|text/calendar ics|text/vtt vtt|text/vcard vcf|text/xml xml xsl|text/yaml yaml yml
application/json json map|application/ld+json jsonld|application/manifest+json webmanifest
application/geo+json geojson|application/toml toml|application/rss+xml rss|application/atom+xml atom
application/xhtml+xml xhtml|application/wasm wasm|application/pdf pdf|application/rtf rtf|application/zip zip
application/gzip gz tgz|application/zstd zst|application/x-7z-compressed 7z|application/x-tar tar
application/x-bzip2 bz2|application/epub+zip epub|application/vnd.ms-fontobject eot
application/msword doc|application/vnd.ms-excel xls|application/vnd.ms-powerpoint ppt
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.apple.mpegurl m3u8|application/dash+xml mpd|application/sql sql
image/svg+xml svg svgz|image/png png|image/apng apng|image/jpeg jpg jpeg|image/gif gif|image/webp webp|image/avif avif
image/heic heic|image/jxl jxl|image/bmp bmp|image/tiff tif tiff|image/vnd.microsoft.icon ico
font/woff woff|font/woff2 woff2|font/ttf ttf|font/otf otf|font/collection ttc
audio/mpeg mp3|audio/mp4 m4a|audio/aac aac|audio/ogg ogg oga opus|audio/flac flac|audio/wav wav|audio/webm weba
audio/midi mid midi|video/mp4 mp4 m4v|video/webm webm|video/ogg ogv|video/quicktime mov|video/mp2t ts m2ts
video/mpeg mpeg mpg|video/x-matroska mkv|video/x-msvideo avi
model/gltf+json gltf|model/gltf-binary glb`

/** @param extraTypes types by extension, without a dot, which replace the common ones */
export const mediaTypes = (extraTypes: Readonly<Record<string, string>> = {}): ((name: string) => string) => {
  const typeByExtension = new Map<string, string>()
  for (const entry of TYPES.split(/[|\n]/)) {
    const [type, ...extensions] = entry.split(' ')
    for (const extension of extensions) typeByExtension.set(extension, type!)
  }
  for (const [extension, type] of Object.entries(extraTypes)) typeByExtension.set(extension.toLowerCase(), type)
  return (name) => {
    const type = typeByExtension.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream'
    return type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type
  }
}

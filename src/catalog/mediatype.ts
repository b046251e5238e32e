// A file of its own: the table of types is large, and who reads entries alone needs none of it.
import mime from 'mime';

const TEXT = 'text/plain';
const BLOB = 'application/octet-stream';

/** Types whose content is text. A closed list beside `text/`: `+xml` alone would make Rust sources `rls-services+xml`. */
const TEXTUAL =
  /^(?:text\/.+|image\/svg\+xml|application\/(?:xml|xhtml\+xml|atom\+xml|rss\+xml|javascript|sql|toml|yaml|(?:.+\+)?json))$/;

/**
 * Types of bytes that are no UTF-8. A closed list as well: text in another encoding is no text here, and most types of `application/`
 * are of sources.
 */
const BINARY =
  /^(?:image\/(?!svg\+xml$).+|(?:audio|video|font)\/.+|model\/gltf-binary|application\/(?:pdf|zip|gzip|wasm|java-archive|epub\+zip|msword|x-(?:tar|7z-compressed|bzip2|xz)|vnd\.(?:rar|ms-.+|(?:openxmlformats-officedocument|oasis\.opendocument|apple)\..+)))$/;

/** Endings of sources that are those of video streams as well. */
const SOURCE = /^m?ts$/;

/**
 * The media type of a file, by the ending of its path and by what its bytes are. A type never contradicts the content:
 * text under a binary ending is `text/plain`, bytes under a textual one are `application/octet-stream`.
 */
export function toMediaType(path: string, isText: boolean): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return isText ? TEXT : BLOB;
  const type = SOURCE.test(ending) ? null : mime.getType(ending);
  return type !== null && (isText ? TEXTUAL : BINARY).test(type) ? type : isText ? TEXT : BLOB;
}

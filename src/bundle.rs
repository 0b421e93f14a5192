//! OPA bundles: the package, its adapters and the IR in one archive that OPA loads and verifies
//! (`opa run --server -b bundle.tar.gz`). The same rulebook and key give the same bytes.
